import ArgumentParser
import Foundation

/// Measures the broker's core in process: decoder and machine, no sockets.
///
/// The machine's clock is simulated: the same arguments give the same frames.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker-bench",
        abstract: "Measures what the broker's core costs, in processor time of one thread."
    )

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case updates, ticks, wide, snapshot, summary, jobs, find, memory
    }

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: "How often each thing is measured.")
    var samples = 5

    @Option(help: "Size of the great tree.")
    var tasks = 1_000_000

    @Argument(help: "What to measure: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
    var parts: [Part] = Part.allCases

    func validate() throws {
        guard samples >= 1 else {
            throw ValidationError("--samples is \(samples); give 1 or more.")
        }
        guard tasks >= 10_000 else {
            throw ValidationError("--tasks is \(tasks); give 10000 or more.")
        }
    }

    func run() throws {
        var figures: [Figure] = []
        for part in parts {
            let new = measure(part)
            figures += new
            if !json { for figure in new { print(figure.line) } }
        }
        guard json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        print(String(decoding: try encoder.encode(["figures": figures]), as: UTF8.self))
    }

    private func measure(_ part: Part) -> [Figure] {
        switch part {
        case .updates: Updates.measure(tasks: tasks, samples: samples)
        case .ticks: Ticks.measure(greatest: tasks, samples: samples)
        case .wide: WideParent.measure(greatest: tasks, samples: samples)
        case .snapshot: Snapshot.measure(tasks: tasks, samples: samples)
        case .summary: Summary.measure(jobs: 10_000, samples: samples)
        case .jobs: Jobs.measure()
        case .find: Finding.measure(tasks: tasks, samples: samples)
        case .memory: Memory.measure(tasks: tasks)
        }
    }
}
