import BusProtocol
import DashboardCore
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("status --line")
struct StatusLineTests {
    private let line = StatusLine(isASCII: false)

    @Test("I-17: one short line with the filled part of a bar and no track, never an average")
    func shortLine() {
        #expect(line.text(for: Samples.board([])).isEmpty)
        let board = Samples.board([Samples.job()])
        #expect(line.text(for: board) == "Back up photos ████ 42% about 20 s")
        #expect(
            StatusLine(isASCII: true).text(for: board) == "Back up photos #### 42% about 20 s"
        )
        let two = Samples.board([Samples.job(1, "Encode"), Samples.job(2)])
        #expect(line.text(for: two) == "Encode ████ 42% about 20 s, 1 more running")
    }

    @Test("nothing filled is no bar; without a fraction there is none either")
    func noBar() {
        let begun = Samples.job { $0.progress.bothFractions = 0.05 }
        #expect(line.text(for: Samples.board([begun])) == "Back up photos 5% about 20 s")
        let unknown = Samples.job {
            $0.progress.clearTotal()
            $0.progress.completed = 0
            $0.progress.counts.succeeded = 3
        }
        #expect(line.text(for: Samples.board([unknown])) == "Back up photos 3 done")
        let stalled = Samples.job { $0.progress.stalled = true }
        #expect(line.text(for: Samples.board([stalled])) == "Back up photos ████ 42% stalled")
    }

    @Test("what needs attention is said even when nothing runs")
    func attention() {
        let failed = Samples.job { $0.progress.state = .failed }
        let text = line.text(for: Samples.board([failed], needingAttention: 1))
        #expect(text == "1 needs attention")
    }

    @Test("never more than 60 columns: first the ending gets short, then the title")
    func limit() {
        let long = "A title that is far too long for a prompt"
        let two = Samples.board([Samples.job(1, long), Samples.job(2)], needingAttention: 2)
        #expect(
            line.text(for: two) == "A title that is... ████ 42% about 20 s, +1, 2 need attention"
        )
        for title in [long, "東京都庁の写真をすべて保存する作業", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", ""] {
            for number in [0, 1, 1_000_000] {
                for fraction in [0.0, 0.42, 0.99] {
                    var jobs = [
                        Samples.job(1, title) { $0.progress.bothFractions = fraction }
                    ]
                    for _ in 0..<min(number, 100) { jobs.append(Samples.job(2)) }
                    let board = Samples.board(jobs, needingAttention: number)
                    let text = line.text(for: board)
                    #expect(PlainText.firstFitting([text], in: StatusLine.limit) == text)
                    #expect(text.contains("need") || text.contains("!") == (number > 0))
                }
            }
        }
    }
}
