import OutputReading
import Testing

@testable import ProgressBusCommand

@Suite("How a command's streams are connected")
struct StandardStreamsPlanTests {
    @Test("all on a terminal: a terminal and a session of its own")
    func terminal() {
        var facts = StandardStreamsPlan.Facts(
            inputIsTerminal: true,
            outputIsTerminal: true,
            errorIsTerminal: true,
            outputsAreOne: true,
            hasTerminal: true
        )
        var plan = StandardStreamsPlan(facts)
        #expect(plan.output == .terminal && plan.error == .withOutput && plan.place == .session)
        facts.errorIsTerminal = false
        facts.outputsAreOne = false
        plan = StandardStreamsPlan(facts)
        #expect(plan.output == .terminal && plan.error == .pipe && plan.place == .session)
    }

    @Test("in a pipeline on a terminal: it stays in our group, where keys find it")
    func pipeline() {
        let facts = StandardStreamsPlan.Facts(
            inputIsTerminal: true,
            errorIsTerminal: true,
            hasTerminal: true
        )
        let plan = StandardStreamsPlan(facts)
        #expect(plan.output == .pipe && plan.error == .terminal && plan.place == .ourGroup)
        let fed = StandardStreamsPlan(
            .init(outputIsTerminal: true, errorIsTerminal: true, hasTerminal: true)
        )
        #expect(fed.output == .terminal && fed.error == .withOutput && fed.place == .ourGroup)
    }

    @Test("what it prints in a file and all else on a terminal: as with all of it there")
    func file() {
        var facts = StandardStreamsPlan.Facts(
            inputIsTerminal: true,
            errorIsTerminal: true,
            outputIsFile: true,
            hasTerminal: true
        )
        let plan = StandardStreamsPlan(facts)
        #expect(plan.output == .pipe && plan.error == .terminal && plan.place == .session)
        facts.inputIsTerminal = false
        #expect(StandardStreamsPlan(facts).place == .ourGroup)
    }

    @Test("in a pipeline, and it would show nothing there: a terminal of its own without the keys")
    func foreground() {
        var facts = StandardStreamsPlan.Facts(
            errorIsTerminal: true,
            hasTerminal: true,
            need: .foreground
        )
        for isTerminal in [false, true] {
            facts.inputIsTerminal = isTerminal
            let plan = StandardStreamsPlan(facts)
            #expect(plan.output == .pipe && plan.error == .terminal, "\(facts)")
            #expect(plan.place == .outputOnlySession, "\(facts)")
        }
        facts.outputIsFile = true
        #expect(
            StandardStreamsPlan(facts).place == .session,
            "all but a file on a terminal, as ever"
        )
        facts.inputIsTerminal = false
        #expect(StandardStreamsPlan(facts).place == .outputOnlySession)
        facts.errorIsTerminal = false
        #expect(StandardStreamsPlan(facts).place == .ourGroup, "nobody looks at a bar in a pipe")
    }

    @Test("in a pipeline, and it waits for what the terminal answers: ours, unread")
    func answers() {
        var facts = StandardStreamsPlan.Facts(
            errorIsTerminal: true,
            hasTerminal: true,
            need: .answers
        )
        let plan = StandardStreamsPlan(facts)
        #expect(plan.output == .inherited && plan.error == .inherited && plan.place == .ourGroup)
        (facts.inputIsTerminal, facts.outputIsTerminal) = (true, true)
        #expect(
            StandardStreamsPlan(facts).place == .session,
            "what is typed reaches it, answers too"
        )
    }

    @Test("no terminal: pipes, one for both where both go to the same place")
    func pipes() {
        let apart = StandardStreamsPlan(.init())
        #expect(apart.output == .pipe && apart.error == .pipe && apart.place == .ownGroup)
        let together = StandardStreamsPlan(.init(outputsAreOne: true))
        #expect(together.output == .pipe && together.error == .withOutput)
    }

    @Test("nobody reads: nothing in between")
    func unread() {
        let plan = StandardStreamsPlan(
            .init(inputIsTerminal: true, outputIsTerminal: true, isRead: false)
        )
        #expect(plan.output == .inherited && plan.error == .inherited && plan.place == .ownGroup)
        let terminal = StandardStreamsPlan(
            .init(outputIsTerminal: true, hasTerminal: true, isRead: false)
        )
        #expect(terminal.place == .ourGroup)
    }
}

@Suite("A command as a title")
struct CommandTitleTests {
    @Test("the program without its directory, words with blanks quoted")
    func plain() {
        #expect(
            CommandTitle.of(["/usr/bin/rsync", "-a", "my photos", ""]) == "rsync -a 'my photos' ''"
        )
        #expect(CommandTitle.of(["a\u{1b}[1m\n"]) == "'a [1m '")
    }

    @Test("at most 60 characters, cut between words where possible")
    func long() {
        let many = CommandTitle.of(["make"] + (1...40).map { "target\($0)" })
        #expect(many.count <= 60 && many.hasPrefix("make target1 ") && many.hasSuffix(" …"))
        let one = CommandTitle.of(["cat", String(repeating: "x", count: 500)])
        #expect(one.count <= 60 && one.hasPrefix("cat xxx") && one.hasSuffix("x…"))
        #expect(CommandTitle.of([String(repeating: "é", count: 90)]).count == 60)
        #expect(CommandTitle.of([]) == "")
    }
}
