import ProgressBus
import TaskTree
import TestSupport
import Testing

@testable import DashboardCore

/// The numbers that one view says of a task agree with each other.
@Suite struct AgreementTests {
    @Test(
        "every pair of numbers in one view agrees, whatever the tree",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func randomTrees(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var tree = ProgressTree()
        var known: [TaskID] = []
        for step in 1...400 as ClosedRange<UInt64> {
            let isNew = known.count < 40 && Int.random(in: 0..<3, using: &random) == 0
            let id = isNew ? .number(known.count + 1) : known.randomElement(using: &random)
            guard let id else { continue }
            if isNew {
                let parent = known.randomElement(using: &random).map(ParentLink.task)
                var description = TaskDescription(parent: parent ?? .none, title: "Task")
                description.unit =
                    ["files", "bytes", "percent"].randomElement(using: &random) ?? ""
                description.share = [nil, 0, 1, 5].randomElement(using: &random) ?? nil
                description.options.expectedChildren = random.oneIn(2) ? 3 : nil
                tree.describe(id, description, version: step)
                known.append(id)
            }
            let amounts = TaskAmounts(
                completed: [0, 1, 3, 7, 200, 43_000].randomElement(using: &random) ?? 0,
                total: [nil, 0, 3, 10, 200, 2_200_000].randomElement(using: &random) ?? nil
            )
            tree.measure(id, amounts, version: step)
            let states = [
                StatedState.running, .running, .running, .paused, .succeeded,
                .failed(reason: "broken"), .cancelled(reason: ""),
            ]
            tree.state(id, states.randomElement(using: &random) ?? .running, version: step)
            guard step % 50 == 0 else { continue }
            _ = tree.settle()
            for id in known {
                let view = try #require(tree.view(id))
                var row = TaskSnapshot(view)
                // Bars are drawn at an even pace, behind what is reported.
                row.displayFraction = min(view.fraction, 0.99) * .random(in: 0...1, using: &random)
                row.rate = 3.5
                row.secondsLeft = 0
                check(row, "seed \(seed), step \(step): \(row)")
            }
        }
    }

    @Test(
        "what is done of what, and how that is said",
        arguments: [
            (completed: 42, total: 100, state: TaskState.running, line: "42%, 42 of 100 files"),
            (200, 200, .running, "200 of 200 files"),
            (5, 3, .running, "5 files"),
            (0, 10, .succeeded, "done"),
            (7, 10, .succeeded, "done, 7 files"),
            (10, 10, .succeeded, "done, 10 of 10 files"),
            (7, 10, .cancelled, "cancelled, 70%, 7 of 10 files"),
        ]
    )
    func leaf(completed: Int64, total: Int64, state: TaskState, line: String) {
        let row = TaskSnapshot.child {
            $0.state = state
            $0.isIndeterminate = false
            $0.unit = "files"
            $0.completed = completed
            $0.total = total
            $0.fraction = state == .succeeded ? 1 : Double(completed) / Double(total)
        }
        #expect(row.words().line == "Scan: " + line)
    }

    @Test("a percentage of shares stands alone beside amounts that say another")
    func shares() {
        let parent = TaskSnapshot.child {
            $0.isIndeterminate = false
            $0.options.expectedChildren = 4
            $0.counts.succeeded = 1
            $0.counts.running = 3
            $0.fraction = 0.25
            $0.sums = [UnitSum(unit: "bytes", completed: 43_000_000, total: 2_200_000_000)]
        }
        #expect(parent.words().line == "Scan: 25%, 1 done, 3 running, 43 MB")
    }

    /// Reads the numbers as a person does.
    private func check(_ row: TaskSnapshot, _ shape: String) {
        let sentence = row.words()
        let details = DetailFacts(row, at: row.madeAt, secondsFromUTC: { _ in 0 })
        let views = [
            sentence.line,
            [
                sentence.percent ?? "", sentence.amount(width: 30)?.number ?? "",
                sentence.timeLeft ?? "",
            ].joined(separator: " "),
            details.lines(width: 80).filter { !$0.isTrouble }.map(\.text).joined(separator: " "),
        ]
        for view in views {
            let percent = view.firstMatch(of: /(\d+)%/).flatMap { Int($0.1) }
            if row.state == .succeeded {
                #expect(percent ?? 100 == 100, "\(view), \(shape)")
            } else {
                #expect(percent ?? 0 < 100, "\(view), \(shape)")
            }
            if view.contains("less than a second") || view.contains(" left") {
                #expect(percent != nil, "\(view), \(shape)")
            }
            for match in view.matches(of: /([\d,.]+)(?: of |\/)(?:about |~)?([\d,.]+)/) {
                let numbers = [match.1, match.2].compactMap {
                    Double($0.filter { $0 != "," })
                }
                guard numbers.count == 2 else { continue }
                let said = numbers[0] / numbers[1] * 100
                #expect(numbers[0] <= numbers[1], "\(view), \(shape)")
                if row.state == .succeeded { #expect(said == 100, "\(view), \(shape)") }
                if let percent { #expect(abs(said - Double(percent)) < 2, "\(view), \(shape)") }
            }
        }
    }
}

extension TaskSnapshot {
    /// What a viewer gets of a task in a tree.
    fileprivate init(_ view: TaskView) {
        self.init(id: view.id, job: view.job, title: view.description.title)
        parent = view.parent
        unit = view.description.unit
        state = view.state
        isIndeterminate = view.isIndeterminate
        fraction = view.fraction
        completed = view.amounts.completed
        total = view.amounts.total
        options = view.description.options
        reason = view.reason.isEmpty ? nil : view.reason
        note = view.note
        counts = view.counts
        sums = view.sums
    }
}
