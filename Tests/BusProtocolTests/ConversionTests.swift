import BusProtocol
import SwiftProtobuf
import TaskTree
import TestSupport
import Testing

@Suite struct ConversionTests {
    private let sender = Samples.session

    @Test func descriptionsComeBackAsTheyWere() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        for round in 0..<500 {
            let task = messages.taskDescription()
            let wire = WireDescription(index: 5, task)
            #expect(wire.taskDescription(sender: sender) == task, "seed \(seed), round \(round)")
        }
    }

    @Test func whatExceedsALimitIsCutBeforeItIsSent() throws {
        var task = TaskDescription(parent: .none, title: String(repeating: "é", count: 500))
        task.unit = String(repeating: "u", count: 500)
        task.key = task.unit
        task.options.tint = task.unit
        task.options.consequence = task.unit + task.unit
        task.options.host = task.unit
        task.share = .max
        task.options.expectedChildren = -1
        task.options.expectedGap = .seconds(Int64.max)
        task.begun = .infinity
        let report = Samples.report { $0.descriptions = [WireDescription(index: 1, task)] }
        #expect(try Frame.decodeReport(Frame.encode(report)) == report)
        #expect(report.descriptions[0].title.utf8.count == ProtocolLimits.titleBytes)
        #expect(report.descriptions[0].share == ProtocolLimits.maxShare)
        #expect(report.descriptions[0].expectedGap == ProtocolLimits.maxExpectedGap)

        task.options.expectedGap = .seconds(-1)
        task.begun = -1
        #expect(!WireDescription(index: 1, task).hasExpectedGap)
        #expect(WireDescription(index: 1, task).begun == 0)
    }

    @Test func sessionZeroStandsForTheSender() {
        #expect(Samples.own(3).taskID(sender: sender) == TaskID(index: 3, session: sender))
        #expect(Samples.own(3).taskID() == nil)
        #expect(Samples.task(3, of: Samples.other).taskID(sender: sender)?.session == Samples.other)
        #expect(Samples.own(0).taskID(sender: sender) == nil)
    }

    @Test func theParentOfADescriptionMayBeTheSendersOwn() {
        let child = Samples.child.taskDescription(sender: sender)
        #expect(child.parent == .task(TaskID(index: 1, session: sender)))
        let redeemer = Samples.redeemer.taskDescription(sender: sender)
        #expect(redeemer.parent == .ticket(TaskID(index: 3, session: Samples.other)))
    }

    @Test func foldsComeBackAsTheyWere() {
        let fold = FoldedChildren(
            succeeded: 3,
            failed: 2,
            cancelled: 1,
            share: .max,
            weighted: Int128(Int64.max) << 50,
            sums: [UnitSum(unit: "files", completed: 1, total: 2)],
            removed: [7, 8]
        )
        let wire = WireFold(parent: TaskID(index: 1, session: sender), fold)
        #expect(wire.folded() == fold)
    }

    @Test func aFoldIsCutToTheUnitsThatAFrameMayHold() throws {
        var fold = FoldedChildren()
        var lower = FoldedChildren()
        for number in 0..<40 {
            let amounts = TaskAmounts(completed: 1, total: 2)
            _ = fold.add(share: 1, unit: "unit \(number)", amounts, .succeeded)
            _ = lower.add(share: 1, unit: "unit \(39 - number)", amounts, .succeeded)
        }
        fold.include(lower)
        #expect(fold.succeeded == 80)
        #expect(fold.share == 40)
        let wire = WireFold(parent: TaskID(index: 1, session: sender), fold)
        #expect(wire.sums.count == ProtocolLimits.unitSums)
        let endings = WireEndings.with {
            $0.sequence = 1
            $0.folds = [wire]
        }
        #expect(throws: Never.self) {
            try Frame.decodeClient(Samples.client(.endings(endings)).frame)
        }
    }

    @Test func sumsThatDoNotFitStayAtTheGreatestNumber() {
        var fold = FoldedChildren(sums: [UnitSum(unit: "B", completed: .max - 1, total: .max - 1)])
        fold.include(FoldedChildren(sums: [UnitSum(unit: "B", completed: 5, total: 5)]))
        #expect(fold.sums == [UnitSum(unit: "B", completed: .max, total: .max)])
    }

    @Test(arguments: [
        StatedState.running, .paused, .succeeded, .failed(reason: "why"), .cancelled(reason: ""),
    ])
    func statesComeBackAsTheyWere(state: StatedState) {
        #expect(state.wire.state.statedState(reason: state.wire.reason) == state)
    }

    @Test func anEndingGivesStateAndAmounts() {
        #expect(Samples.ending.statedState == .failed(reason: "The disk is full."))
        #expect(Samples.ending.amounts == TaskAmounts(completed: 40, total: 100))
        let open = WireEnding.with { $0.total = -1 }
        #expect(open.amounts.total == nil)
        #expect(WireEnding().amounts.total == nil)
        let nothing = WireEnding.with { $0.total = 0 }
        #expect(nothing.amounts.total == 0)
    }

    @Test func aReasonIsCutBeforeItIsSent() {
        let state = StatedState.failed(reason: String(repeating: "x", count: 9999))
        #expect(state.wire.reason.utf8.count == ProtocolLimits.reasonBytes)
    }

    @Test func bindingsComeBackAsTheyWere() {
        let ticket = TaskID(index: 3, session: Samples.other)
        for binding in [Binding.holder(of: ticket, attempt: 2), .child(of: ticket), .inert] {
            let wire = WireBinding(index: 1, binding, task: ticket)
            #expect(wire.binding() == binding)
        }
        #expect(WireBinding.with { $0.kind = .UNRECOGNIZED(9) }.binding() == nil)
    }
}
