import ProcessControl
import Testing

@testable import ProgressBusCommand

@Suite("The commands of run -j")
struct ArgumentTests {
    private func words(_ words: String...) -> [SystemString] { words.map { SystemString($0) } }

    @Test("arguments stand behind :::, in the place of {} or at the end")
    func template() {
        let template = ArgumentTemplate(words("cp", "{}", "to/{}.bak", ":::", "a b", "c"))
        #expect(template.words == words("cp", "{}", "to/{}.bak"))
        #expect(template.arguments == words("a b", "c"))
        #expect(template.filled(with: "a b") == words("cp", "a b", "to/a b.bak"))
        let plain = ArgumentTemplate(words("gzip", "-k"))
        #expect(plain.arguments == nil)
        #expect(plain.filled(with: "{}") == words("gzip", "-k", "{}"))
        #expect(ArgumentTemplate(words("x", ":::")).arguments == [])
    }

    @Test("bytes that are no text stay as they are")
    func bytes() {
        let argument = SystemString(bytes: [0x61, 0xff, 0xfe])
        let filled = ArgumentTemplate(words("cat", "./{}")).filled(with: argument)
        #expect(filled[1].bytes == Array("./a".utf8) + [0xff, 0xfe])
    }

    @Test("lines: empty ones are none; NUL: everything else is part of an argument")
    func splitting() {
        var lines = ArgumentSplitter(isNulSeparated: false)
        #expect(lines.feed(Array("a\n\nb c\nd".utf8)) == words("a", "b c"))
        #expect(lines.finish() == "d" && lines.finish() == nil)
        var nuls = ArgumentSplitter(isNulSeparated: true)
        #expect(nuls.feed(Array("a\nb\0\0c\0".utf8)) == words("a\nb", "", "c"))
        #expect(nuls.finish() == nil)
    }

    @Test("a line is held back until its end, the last one gets one")
    func lines() throws {
        let pipe = try Pipe()
        defer {
            close(pipe.reading)
            close(pipe.writing)
        }
        let merger = OutputMerger(to: OutputSink(pipe.writing, isOwn: true), keepsLines: true)
        func printed() -> String {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(pipe.reading, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        }
        func take(_ text: String) -> String {
            Array(text.utf8).withUnsafeBytes { merger.take($0, from: 1) }
            return printed()
        }
        #expect(take("ab") == "")
        #expect(take("c\nd\ne") == "abc\nd\n")
        merger.finish(1)
        #expect(printed() == "e\n")
        merger.finish(1)
        #expect(printed() == "")
    }

    @Test("failures: the highest status, all listed up to a bound")
    func failures() {
        var failures = Failures()
        #expect(failures.lines(of: 5).isEmpty && failures.status == 0)
        failures.add("b", status: 137, why: "killed by signal 9 (SIGKILL)")
        failures.add("a", status: 3, why: "exit status 3")
        #expect(failures.status == 137)
        #expect(
            failures.lines(of: 5)
                == ["2 of 5 failed:", "  b: killed by signal 9 (SIGKILL)", "  a: exit status 3"]
        )
        failures.add("c", status: 143, why: "cancelled", isCancelled: true)
        let first = failures.lines(of: 5, left: 3).first
        #expect(first == "2 of 5 failed, 1 of 5 cancelled, 3 more not run:")
        #expect(failures.words(of: 5) == ["2 of 5 failed", "1 of 5 cancelled"])
        for _ in 0..<1_999 { failures.add("x", status: 1, why: "exit status 1") }
        #expect(failures.lines(of: 3_000).count == 1_002)
        #expect(failures.lines(of: 3_000).last == "  and 1002 more")
    }

    @Test("variables are replaced and taken out, others stay byte for byte")
    func environment() {
        var block = EnvironmentBlock(entries: [
            "A=1", "PROGRESSBUS_TICKET=t", SystemString(bytes: [0x42, 0x3d, 0xff]), "odd",
        ])
        block.set("PROGRESSBUS_TICKET", to: nil)
        block.set("A", to: "2")
        #expect(block.value(of: "A") == "2" && block.value(of: "PROGRESSBUS_TICKET") == nil)
        #expect(block.entries.contains(SystemString(bytes: [0x42, 0x3d, 0xff])))
        #expect(block.entries.contains("odd"))
    }
}
