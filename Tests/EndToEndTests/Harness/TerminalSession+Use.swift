import Foundation

extension TerminalSession {
    /// Types characters.
    func type(_ text: String) async throws {
        try await ask("type", #""text":\#(try Self.json(text))"#, TerminalReply.self)
    }

    /// Pastes text as a terminal does: between marks where the program has asked for them.
    func paste(_ text: String) async throws {
        try await ask("type", #""paste":\#(try Self.json(text))"#, TerminalReply.self)
    }

    /// Presses keys by name: `Enter`, `Escape`, `Up`, `PageDown`, `Ctrl-C`, or a character each.
    func press(_ keys: String...) async throws {
        try await ask("type", #""keys":\#(try Self.json(keys))"#, TerminalReply.self)
    }

    /// Presses keys, and waits for a text that is to be seen then, or no more.
    ///
    /// The terminal begins to wait as it presses: a note that is shown for seconds is seen, however busy
    /// the machine is.
    func press(
        _ keys: [String],
        sees text: String,
        isAbsent: Bool = false,
        within patience: Duration = .seconds(20)
    ) async throws {
        let pressed = send("type", #""keys":\#(try Self.json(keys))"#)
        let pattern = NSRegularExpression.escapedPattern(for: text)
        let waited = send("wait", try Self.waitFields(pattern, isAbsent, patience))
        _ = try await answer(to: pressed, "type", TerminalReply.self, within: patience)
        let screen = try await answer(to: waited, "wait", TerminalScreen.self, within: patience)
        try check(screen, pattern, isAbsent, patience)
    }

    private static func waitFields(
        _ pattern: String,
        _ isAbsent: Bool,
        _ patience: Duration
    ) throws -> String {
        #""pattern":\#(try json(pattern)),"absent":\#(isAbsent),"timeout":\#(patience / .seconds(1))"#
    }

    private func check(
        _ screen: TerminalScreen,
        _ pattern: String,
        _ isAbsent: Bool,
        _ patience: Duration
    ) throws {
        guard !screen.ok else { return }
        let what = isAbsent ? "still there" : "never there"
        throw Failure(what: "\(name): /\(pattern)/ \(what) within \(patience)", screen: screen)
    }

    /// Clicks a cell, or turns the wheel there (`wheelUp`, `wheelDown`); both counted from 0.
    func click(row: Int, column: Int, button: String = "left") async throws {
        let event = #"{"button":"\#(button)","row":\#(row),"column":\#(column)}"#
        try await ask("type", #""mouse":\#(event)"#, TerminalReply.self)
    }

    func resize(columns: Int, rows: Int) async throws {
        try await ask("resize", #""columns":\#(columns),"rows":\#(rows)"#, TerminalReply.self)
    }

    /// What is shown now.
    func screen() async throws -> TerminalScreen {
        try await ask("screen", "", TerminalScreen.self)
    }

    /// The main screen, whichever is shown: what is left when the program has gone.
    func mainScreen() async throws -> TerminalScreen {
        try await ask("screen", #""main":true"#, TerminalScreen.self)
    }

    /// A row as runs of one style each.
    func styles(row: Int) async throws -> [TerminalRun] {
        try await ask("styles", #""row":\#(row)"#, TerminalRuns.self).runs
    }

    /// Waits until a text is on the screen.
    ///
    /// - Returns: The screen with it.
    /// - Throws: `Failure` with the last screen.
    @discardableResult
    func wait(
        for text: String,
        within patience: Duration = .seconds(20)
    ) async throws
        -> TerminalScreen
    {
        try await wait(forPattern: NSRegularExpression.escapedPattern(for: text), within: patience)
    }

    /// Waits until a text is not on the screen.
    @discardableResult
    func wait(
        forNo text: String,
        within patience: Duration = .seconds(20)
    ) async throws
        -> TerminalScreen
    {
        let pattern = NSRegularExpression.escapedPattern(for: text)
        return try await wait(forPattern: pattern, isAbsent: true, within: patience)
    }

    /// Waits until a regular expression of Python matches the lines, `^` and `$` at each.
    @discardableResult
    func wait(
        forPattern pattern: String,
        isAbsent: Bool = false,
        within patience: Duration = .seconds(20)
    ) async throws -> TerminalScreen {
        let screen = try await ask(
            "wait",
            try Self.waitFields(pattern, isAbsent, patience),
            TerminalScreen.self,
            within: patience
        )
        try check(screen, pattern, isAbsent, patience)
        return screen
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) async throws {
        try await ask("signal", #""number":\#(signal)"#, TerminalReply.self)
    }

    /// Stops the terminal, which reads nothing then; or lets it go on.
    func setReading(_ isReading: Bool) { process.send(isReading ? SIGCONT : SIGSTOP) }

    /// Closes the terminal.
    func hangUp() async throws {
        try await ask("hangUp", "", TerminalReply.self)
    }

    /// Brings a stopped program back to the foreground, as `fg` does.
    func resume() async throws {
        try await ask("resume", "", TerminalReply.self)
    }

    /// Waits until the program is `stopped`, `running`, `exited` or `signalled`.
    @discardableResult
    func wait(
        forState state: String,
        within patience: Duration = .seconds(20)
    ) async throws
        -> TerminalState
    {
        let screen = try await ask(
            "waitState",
            #""state":"\#(state)","timeout":\#(patience / .seconds(1))"#,
            TerminalScreen.self,
            within: patience
        )
        guard screen.ok else {
            throw Failure(what: "\(name): never \(state) within \(patience)", screen: screen)
        }
        return try await self.state()
    }

    /// Waits for the program's end.
    @discardableResult
    func end(within patience: Duration = .seconds(20)) async throws -> TerminalState {
        let screen = try await ask(
            "waitEnd",
            #""timeout":\#(patience / .seconds(1))"#,
            TerminalScreen.self,
            within: patience
        )
        guard screen.ok else {
            throw Failure(what: "\(name): still runs after \(patience)", screen: screen)
        }
        return try await state()
    }

    func state() async throws -> TerminalState {
        try await ask("state", "", TerminalState.self)
    }

    /// Follows the places of all labels that match from now on; forgets what was followed before.
    ///
    /// The patterns are regular expressions of Python, in each of which one group is the label.
    /// So many rows at the top and the bottom are not looked at.
    func follow(_ patterns: String..., top: Int = 1, bottom: Int = 1) async throws {
        try await ask(
            "follow",
            #""patterns":\#(try Self.json(patterns)),"top":\#(top),"bottom":\#(bottom)"#,
            TerminalReply.self
        )
    }

    /// Where the labels have been since `follow`.
    func history() async throws -> TerminalHistory {
        try await ask("history", "", TerminalHistoryReply.self).history
    }

    /// The same, and whether each label was visible during its lives; it may take that grace to
    /// appear.
    func history(
        lives: [TerminalLife],
        grace: Duration
    ) async throws -> (places: TerminalHistory, lives: TerminalLives) {
        let list = try lives.map { life in
            "[\(try Self.json(life.label)),\(life.began),\(life.ended)]"
        }
        let reply = try await ask(
            "history",
            #""grace":\#(grace / .seconds(1)),"lives":[\#(list.joined(separator: ","))]"#,
            TerminalHistoryReply.self
        )
        guard let check = reply.check else {
            throw Failure(what: "\(name): no check of the lives", screen: nil)
        }
        return (reply.history, check)
    }
}
