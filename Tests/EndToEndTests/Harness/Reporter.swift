import Foundation

/// A worker: a process that runs `progressbus report` and does what the test tells it to.
struct Reporter: Sendable {
    let process: ChildProcess

    init(_ process: ChildProcess) {
        self.process = process
    }

    /// Writes one line of JSON.
    func say(_ line: String) {
        process.write(line + "\n")
    }

    /// Begins a task; `fields` is more JSON, for instance `"total":10`.
    func begin(_ id: String, _ title: String, _ fields: String = "") {
        let more = fields.isEmpty ? "" : "," + fields
        say(#"{"op":"begin","id":"\#(id)","title":"\#(title)"\#(more)}"#)
    }

    func update(_ id: String, _ fields: String) {
        say(#"{"op":"update","id":"\#(id)",\#(fields)}"#)
    }

    func end(_ id: String, _ state: String, reason: String? = nil) {
        let reason = reason.map { #","reason":"\#($0)""# } ?? ""
        say(#"{"op":"end","id":"\#(id)","state":"\#(state)"\#(reason)}"#)
    }

    /// Makes a ticket and returns its text.
    func ticket(_ id: String, under parent: String, _ fields: String = "") async throws -> String {
        let more = fields.isEmpty ? "" : "," + fields
        say(#"{"op":"ticket","id":"\#(id)","parent":"\#(parent)","title":"\#(id)"\#(more)}"#)
        let event = try await event("ticket \(id)") { $0.event == "ticket" && $0.id == id }
        return event.ticket ?? ""
    }

    /// Returns once the broker has acknowledged everything said so far.
    ///
    /// A sync gives up after 5 s, and at once where nobody listens yet: then another one follows.
    func sync() async throws {
        try await eventually(
            "a sync succeeds",
            within: .seconds(60),
            every: .milliseconds(100),
            instead: words
        ) {
            let seen = events.count { $0.event == "synced" }
            say(#"{"op":"sync"}"#)
            let answer = try await eventually("\(process.name) answers a sync", instead: words) {
                events.filter { $0.event == "synced" }.dropFirst(seen).first
            }
            return answer.ok != false
        }
    }

    /// What it has said on standard output so far.
    var events: [Event] {
        process.outputLines.compactMap {
            try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }

    /// Waits for an event.
    @discardableResult
    func event(
        _ what: String,
        within patience: Duration = .seconds(20),
        _ isWanted: (Event) -> Bool
    ) async throws -> Event {
        try await eventually(
            "\(process.name) says \(what)",
            within: patience,
            instead: words
        ) {
            events.first(where: isWanted)
        }
    }

    private func words() -> String {
        "\(process.output.suffix(2_000))\(process.errorOutput.suffix(2_000))"
    }

    struct Event: Decodable, Equatable {
        var event: String
        var id: String?
        var ticket: String?
        var ok: Bool?
    }
}
