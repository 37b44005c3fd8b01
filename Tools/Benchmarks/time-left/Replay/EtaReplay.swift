import Foundation
import TaskTree
import TimeLeft

/// Replays traces of progress through what the broker uses: `eta-replay TRACE.csv… > estimates.csv`.
///
/// A trace has the lines `time,completed,total`. Every half second comes a line with the trace's
/// name, the time, the seconds left and the fraction to draw, as a viewer would see them then:
/// nothing later than that moment has been read. The last report is followed by five minutes of
/// silence, so that a trace that was cut off can be compared with the whole one.
@main
struct EtaReplay {
    private static let step = 0.5
    private static let silenceAfterwards = 300.0

    static func main() {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else {
            fail("eta-replay: name at least one trace, a file with the lines time,completed,total")
        }
        print("trace,time,estimated_remaining_seconds,displayed_fraction")
        for path in paths { replay(path) }
    }

    private static func replay(_ path: String) {
        let reports = read(path)
        let name = String(URL(filePath: path).lastPathComponent.prefix { $0 != "." })
        var task = TaskObservation(at: moment(0))
        var next = reports.startIndex
        let end = (reports.last?.time ?? 0) + silenceAfterwards
        var lines = ""
        for number in 1... {
            let time = Double(number) * step
            guard time < end else { break }
            while next < reports.endIndex, reports[next].time <= time {
                task.see(reports[next], isFirst: next == reports.startIndex)
                next += 1
            }
            let left = task.secondsLeft(at: moment(time)).map { String(format: "%.4f", $0) } ?? ""
            let drawn = task.displayFraction(at: moment(time))
            lines += "\(name),\(time),\(left),\(String(format: "%.5f", drawn))\n"
        }
        print(lines, terminator: "")
    }

    private static func read(_ path: String) -> [Report] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            fail("eta-replay: cannot read \(path)")
        }
        return text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",")
            guard fields.count == 3, let time = Double(fields[0]),
                let completed = Int64(fields[1]), let total = Int64(fields[2])
            else {
                fail("eta-replay: \(path) has a line that is not time,completed,total: \(line)")
            }
            return Report(time: time, completed: completed, total: total)
        }
    }

    static func moment(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 0).advanced(bySeconds: seconds)
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(64)
    }
}

/// One line of a trace.
struct Report {
    var time: Double
    var completed: Int64
    var total: Int64
}

extension TaskObservation {
    fileprivate mutating func see(_ report: Report, isFirst: Bool) {
        let load = Workload(done: Double(report.completed), extent: Double(report.total))
        observe(
            completed: report.completed,
            total: report.total,
            fraction: report.total > 0 ? Double(report.completed) / Double(report.total) : 1,
            load: load,
            state: .running,
            advanced: !isFirst,
            at: EtaReplay.moment(report.time)
        )
    }
}
