import Foundation

/// Measures what the library and the broker cost, each beside a baseline of the same run.
///
/// - `bus-bench [--quick] [--json] [SECTION…]`: the figures of these sections, of all without one,
///   as lines or as one JSON object, name to figure; see `Figure`.
/// - `bus-bench --list`: the sections. `bus-bench --count [PATH…]`: hot paths once, for a counter of
///   instructions (see `HotPaths`); prints of how many steps each was.
/// - `bus-bench role ROLE …`: a process that a section starts; see `Role`.
///
/// The broker that sections start is the `progressbus` beside this program, or that of
/// `PROGRESSBUS_PROGRAM`.
@main
struct BusBench {
    private typealias Section = @Sendable (Plan, inout Report) async throws -> Void

    private static let sections: [(name: String, measure: Section)] = [
        ("advance", AdvanceSection.measure), ("children", ChildrenSection.measure),
        ("traffic", TrafficSection.measure), ("fan-in", FanInSection.measure),
        ("latency", LatencySection.measure), ("sessions", SessionsSection.measure),
    ]

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "role" {
            await Role.run(Array(arguments.dropFirst()))
            return
        }
        if arguments.first == "--count" {
            count(Array(arguments.dropFirst()))
            return
        }
        if arguments == ["--list"] {
            print(sections.map(\.name).joined(separator: "\n"))
            return
        }
        let isQuick = take("--quick", from: &arguments)
        let isJSON = take("--json", from: &arguments)
        let unknown = arguments.filter { name in !sections.contains { $0.name == name } }
        guard unknown.isEmpty else {
            fail(
                64,
                "no section \(unknown.joined(separator: ", ")); "
                    + "there are \(sections.map(\.name).joined(separator: ", "))"
            )
        }
        var report = Report()
        let plan = Plan(isQuick: isQuick)
        for section in sections where arguments.isEmpty || arguments.contains(section.name) {
            let count = report.figures.count
            do {
                try await section.measure(plan, &report)
            } catch {
                fail(69, "\(section.name): \(error)")
            }
            if !isJSON { say(report.lines(from: count)) }
        }
        if isJSON { say(report.json) }
    }

    /// The hot paths of these names, all without one: "NAME STEPS".
    private static func count(_ names: [String]) {
        for name in names.isEmpty ? HotPaths.names : names {
            guard let steps = HotPaths.run(name) else { fail(64, "no hot path \(name)") }
            print("\(name) \(steps)")
        }
    }

    private static func take(_ flag: String, from arguments: inout [String]) -> Bool {
        let count = arguments.count
        arguments.removeAll { $0 == flag }
        return arguments.count < count
    }

    /// At once, also into a pipe.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
