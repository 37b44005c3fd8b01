@testable import OutputReading
import Testing

/// Numbers in ordinary output are no progress; this matters more than to find all that is.
@Suite struct RisingNumbersTests {
    private static func read(_ text: String) throws -> [String] {
        var reader = try OutputReader(choice: .automatic(CommandWords(["./job.sh"])))
        var summary = Summary()
        for (number, line) in text.split(separator: "\n").enumerated() {
            summary.add(reader.read(line + "\n"))
            summary.add(reader.tick(at: Double(number) / 10))
        }
        summary.add(reader.finish())
        return summary.lines
    }

    @Test(
        "ordinary output says nothing of progress",
        arguments: [
            "Copyright 2015/2016\nCopyright 2016/2017\nCopyright 2017/2018",
            "GET / HTTP/1.0\nGET / HTTP/1.1\nGET / HTTP/2.0",
            "10/31 started\n11/30 still there\n12/31 ended",
            "01/31/2026\n02/28/2026\n03/31/2026",
            "100% cotton\n100% wool\n100% linen",
            "version 1/1\nversion 1/1",
            "cpu 12% mem 30%\ncpu 14% mem 22%\ncpu 11% mem 35%",
            "disk 81% full\ndisk 80% full\ndisk 79% full",
            "/usr/lib/1/2\n/usr/lib/2/3\n/usr/lib/3/4",
            "test 12 of suite 345\n99 of 100 problems",
            "[2026-11-21 10:00:00] a 1/2 b\n[2026-11-21 10:00:01] c 2/3 d",
            "discount 5%\nprice 10%\nsale 20%\nrent 30%",
            "%20%30%40\n%21%31%41\n%22%32%42",
            "1/1\n1/1\n1/1",
            "[1/5] attempt failed\n[2/5] attempt failed\n[3/5] attempt failed",
            "(1/5) retries\n(2/5) retries\n(3/5) retries",
            "at 30%\nat 31%\nat 32%",
            "[3/5] tries left\n[2/5] tries left\n[1/5] tries left", "[2/10] retry failed",
            "  Duration: 00:01:02.03, start: 0.000000, bitrate: 335 kb/s",
            "━━━━━━━━━━\n━━━ 37% ━━━", "Counting objects: none", "Progress: [nothing]",
            "1.1/1.2\n1.2/1.3\n1.3/1.4",
            "done 99999999999999999999999%\ndone 999999999999999999999999%",
            "99999999999999999999/99999999999999999999\n1/99999999999999999999",
        ]
    )
    func ordinary(text: String) throws {
        #expect(try Self.read(text).isEmpty)
    }

    @Test(
        "a number that rises in one place is progress",
        arguments: [
            ("Progress: 1%\nProgress: 2%\nProgress: 3%", ["-: 300/10000 percent"]),
            ("[=>  ] 10.5 %\n[==> ] 20.25 %\n[===>] 99.9 %", ["-: 9990/10000 percent"]),
            ("file 1/20\nfile 2/20\nfile 3/20\nother 19/20", ["-: 3/20"]),
            ("Step 1 of 3: a\nStep 2 of 3: b\nStep 3 of 3: c", ["-: 3/3"]),
            ("(1/3) a\n(2/3) b\n(3/3) c", ["-: 3/3"]),
            // Where it has begun once, other places say nothing.
            ("at 1%\nat 2%\nat 3%\nmem 90%\nat 4%", ["-: 400/10000 percent"]),
        ]
    )
    func rising(text: String, end: [String]) throws {
        #expect(try Self.read(text) == end)
    }

    @Test func aFallIsIgnoredAndOneRiseIsTooFew() throws {
        #expect(try Self.read("at 1%\nat 2%").isEmpty)
        #expect(try Self.read("at 1%\nat 2%\nat 3%\nat 1%\nat 2%") == ["-: 300/10000 percent"])
    }

    @Test func aRecognizedProgramTakesOverFromNumbersAndFromAnotherProgram() throws {
        let text = """
            at 1%
            at 2%
            at 3%
            Receiving objects:  50% (10/20)
            at 4%
            [1/3] CXX main.o
            [2/3] CXX other.o
            """
        #expect(
            try Self.read(text) == ["-: 2/3 steps", "Receiving objects: 10/20 objects"]
        )
    }

    @Test func forcedAdaptersWantNoRise() throws {
        var percent = try OutputReader(choice: .forced("percent"))
        #expect(percent.read("loaded 37%\n") == [.percent(3_700)])
        var count = try OutputReader(choice: .forced("count"))
        #expect(count.read("loaded 12 of 345 things\n") == [.amount(12, of: 345)])
    }
}
