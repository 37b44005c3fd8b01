import ArgumentParser
import Testing

@testable import ProgressBusCommand

@Suite("Calls that scripts repeat")
struct ShortCallTests {
    @Test(
        "what is read without ArgumentParser, it reads in the same way",
        arguments: [
            ["advance", "2s-0f5k9"], ["advance", "3", "--by", "17"], ["advance", "key:a b"],
        ]
    )
    func alike(arguments: [String]) throws {
        let command = try #require(try RootCommand.parseAsRoot(arguments) as? AdvanceCommand)
        #expect(ShortCall(arguments) == .advance(task: command.task, by: command.by))
        let usual = DetachedOptions.usual
        #expect(command.options.timeout == usual.timeout && command.options.strict == usual.strict)
        #expect(command.options.bus.endpoint == usual.bus.endpoint)
        #expect(command.options.bus.noAutostart == usual.bus.noAutostart)
    }

    @Test("a command without options runs as ArgumentParser reads it")
    func run() throws {
        let arguments = ["run", "--", "make", "-j8", "--title"]
        let command = try #require(try RootCommand.parseAsRoot(arguments) as? RunCommand)
        let usual = RunCommand.usual(command.command)
        #expect(ShortCall(arguments) == .run(command.command))
        #expect(command.jobs == usual.jobs && command.isNulSeparated == usual.isNulSeparated)
        #expect(command.machines == usual.machines)
        let (parsed, short) = (command.options, usual.options)
        #expect(parsed.title == short.title && parsed.share == short.share)
        #expect(parsed.key == short.key && parsed.pattern == short.pattern)
        #expect(parsed.adapter == short.adapter)
        #expect(parsed.grace == short.grace && parsed.keepsTail == short.keepsTail)
        #expect(parsed.endpoint.endpoint == short.endpoint.endpoint)
        #expect(parsed.endpoint.noAutostart == short.endpoint.noAutostart)
    }

    @Test(
        "whatever has more to it is left to ArgumentParser",
        arguments: [
            [], ["advance"], ["advance", "--help"], ["advance", "a", "--by"], ["advance", ""],
            ["advance", "a", "--by", "0"], ["advance", "a", "--by", "x"], ["advance", "a", "b"],
            ["advance", "a", "--strict", "--by"], ["version", "--help"], ["status"],
            ["run"], ["run", "--"], ["run", "true"], ["run", "-j", "2", "--", "true"],
            ["run", "--", "true", ":::", "a"],
        ]
    )
    func others(arguments: [String]) {
        #expect(ShortCall(arguments) == nil)
    }
}
