import Testing

@testable import ProgressBusCommand

@Suite("The face of watch")
struct OutputModeTests {
    private func face(
        json: Bool = false,
        plain: Bool = false,
        terminal: String? = "xterm-256color",
        accessible: String? = nil,
        isTerminal: Bool = true
    ) -> OutputMode {
        var environment: [String: String] = [:]
        environment["TERM"] = terminal
        environment["ACCESSIBLE"] = accessible
        return OutputMode.choose(
            json: json,
            plain: plain,
            environment: environment,
            isTerminal: isTerminal
        )
    }

    @Test("on a terminal that can do it: the dashboard")
    func dashboard() {
        #expect(face() == .dashboard)
        #expect(face(accessible: "") == .dashboard)
        #expect(face(accessible: "0") == .dashboard)
    }

    @Test("no terminal, a dumb one, one without a name, or --plain: plain lines")
    func plain() {
        #expect(face(isTerminal: false) == .plain)
        #expect(face(terminal: "dumb") == .plain)
        #expect(face(terminal: "") == .plain)
        #expect(face(terminal: nil) == .plain)
        #expect(face(plain: true) == .plain)
    }

    @Test("ACCESSIBLE: lines for those who are read to, wherever they go")
    func accessible() {
        #expect(face(accessible: "1") == .accessible)
        #expect(face(accessible: "yes", isTerminal: false) == .accessible)
        #expect(face(plain: true, accessible: "1") == .accessible)
    }

    @Test("--json is for programs, whatever else there is")
    func json() {
        #expect(face(json: true) == .json)
        #expect(face(json: true, terminal: "dumb", accessible: "1", isTerminal: false) == .json)
    }
}
