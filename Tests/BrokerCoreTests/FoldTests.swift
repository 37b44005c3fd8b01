import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct FoldTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    private func fold(_ count: UInt64, removed: [UInt64]) -> WireFold {
        var fold = WireFold()
        fold.parent = WireTaskRef(worker.task(1))
        fold.succeeded = count
        fold.share = count
        fold.weightedLow = count << 50
        fold.removed = removed
        return fold
    }

    private func endings(_ sequence: UInt64, _ fold: WireFold) -> WireClientFrame.OneOf_Body {
        var frame = WireEndings()
        frame.sequence = sequence
        frame.folds = [fold]
        return .endings(frame)
    }

    @Test func foldingAFailedChildLeavesWhatNeedsAttentionAsItWas() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.subscribe(.totals)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
        let child = worker.description(2, "Child", parent: worker.task(1))
        bus.control(worker, worker.endings(2, [worker.ending(child, .failed, reason: "full")]))
        bus.pass()
        let before = bus.published.last { $0.update.hasTotals }?.update.totals.needingAttention
        var fold = fold(0, removed: [2])
        fold.failed = 1
        fold.share = 1
        bus.control(worker, endings(3, fold))
        bus.pass()
        let after = bus.published.last { $0.update.hasTotals }?.update.totals.needingAttention
        #expect(before == 1)
        #expect(after == before)
    }

    @Test func aFoldTakesOutNoGreatBranchThatItDoesNotName() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        let below = 4_100 as UInt64
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "Branch", parent: worker.task(1)),
            ]
        }
        for first in stride(from: 3, to: 3 + below, by: 100) {
            bus.report(worker) {
                $0.sequence = first
                $0.descriptions = (first..<first + 100).map {
                    worker.description($0, "Leaf", parent: worker.task(2))
                }
            }
        }
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.counts.running == 4_101)
        bus.control(worker, endings(5_000, fold(1, removed: [2])))
        bus.pass()
        let kept = bus.row(worker.task(1), asking: viewer)?.progress.counts
        #expect(kept?.running == 4_101 && kept?.succeeded == 1, "it stays, and is counted")
        bus.control(worker, endings(5_001, fold(4_101, removed: [2] + (3..<50))))
        bus.pass()
        let after = bus.row(worker.task(1), asking: viewer)?.progress.counts
        #expect(after?.running == 0 && after?.succeeded == 4_101, "what is named needs no room")
    }

    @Test func foldedChildrenCountOnceBeforeAndAfterARestart() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
            $0.add(1, completed: 0, total: 10)
        }
        bus.pass()
        let children = (2...5).map {
            worker.ending(
                worker.description($0, "Child", parent: worker.task(1)),
                .succeeded
            )
        }
        bus.control(worker, worker.endings(2, children))
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.fraction == 0.4)
        bus.control(worker, endings(3, fold(2, removed: [2, 3])))
        bus.control(worker, endings(4, fold(4, removed: [4, 5])))
        bus.pass()
        let before = bus.row(worker.task(1), asking: viewer)
        #expect(before?.progress.fraction == 0.4)
        #expect(before?.progress.counts.succeeded == 4)
        #expect(before?.progress.childrenLeftOut == 4)
        #expect(bus.row(worker.task(2), asking: viewer) == nil)

        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.control(worker, worker.hello)
        next.keyframe(worker, sequence: 5) {
            $0.descriptions = [worker.description(1, "Job")]
            $0.add(1, completed: 0, total: 10)
            $0.folds = [fold(4, removed: [])]
        }
        next.pass()
        let after = next.row(worker.task(1), asking: viewer)
        #expect(after?.progress.fraction == 0.4)
        #expect(after?.progress.counts.succeeded == 4)
    }

    @Test func whatWasFoldedBelowATaskThatNobodyCanDescribeAnyMoreIsShown() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Part", parent: Client(9).task(1))]
        }
        let child = worker.description(2, "Child", parent: worker.task(1))
        let long = worker.description(3, "Long", parent: worker.task(1))
        let ended = [child, long].map { worker.ending($0, .succeeded) }
        bus.control(worker, worker.endings(2, ended))
        bus.control(worker, endings(3, fold(1, removed: [2])))
        bus.pass()

        // Both are killed before the worker can speak with the next broker.
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(30, hearing: [viewer])
        let row = next.row(worker.task(1), asking: viewer)
        #expect(row?.progress.state == .lost)
        #expect(row?.progress.counts.succeeded == 2)
        #expect(next.row(worker.task(3), asking: viewer)?.progress.state == .succeeded)

        // And after the next one.
        var third = next.restarted()
        third.control(viewer, viewer.hello)
        third.pass(30, hearing: [viewer])
        #expect(third.row(worker.task(1), asking: viewer)?.progress.counts.succeeded == 2)
    }
}
