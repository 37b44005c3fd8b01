import Testing

@testable import ProgressBusCommand

@Suite("Why a command has failed")
struct FailureReasonTests {
    @Test("the last lines that there is room for, whole and in their order")
    func joining() {
        #expect(FailureReason.join("exit status 1", []) == "exit status 1")
        #expect(FailureReason.join("exit status 1", ["a", "b"]) == "exit status 1: a | b")
        let line = String(repeating: "x", count: 200)
        let words = FailureReason.join("exit status 1", ["first " + line, line, "y" + line])
        #expect(words == "exit status 1: \(line) | y\(line)")
    }

    @Test("bars, rules and carets: left out, as they say nothing by themselves")
    func marks() {
        let lines = [
            "main.c:3:9: error: expected ';'", "    int x", "        ^~~~", "-----------",
            "[=====>    ] 50%", "100%|██████████| 5/5 [00:00<00:00, 10.0it/s]",
        ]
        #expect(
            FailureReason.join("exit status 1", lines)
                == "exit status 1: main.c:3:9: error: expected ';' |     int x"
        )
        #expect(FailureReason.join("exit status 1", ["====="]) == "exit status 1")
    }

    @Test("a last line without room is there all the same, and cut where it is sent")
    func longLine() {
        let line = String(repeating: "x", count: 900)
        #expect(FailureReason.join("exit status 1", ["a", line]) == "exit status 1: \(line)")
    }
}
