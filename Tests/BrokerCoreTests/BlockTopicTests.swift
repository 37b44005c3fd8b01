import BrokerCore
import BusProtocol
import TaskTree
import TestSupport
import Testing

/// The topics for dashboards: children by place, and a byte a cell.
@Suite struct BlockTopicTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    /// A job with this many running children.
    private func bus(children: UInt64) -> Bus {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
            for index in 2..<(children + 2) {
                $0.descriptions.append(
                    worker.description(index, "Child", parent: worker.task(1))
                )
                $0.add(index, completed: 0, total: 10)
            }
        }
        bus.pass()
        return bus
    }

    private func end(_ index: UInt64, _ state: WireStatedState, sequence: UInt64, in bus: inout Bus)
    {
        let child = worker.description(index, "Child", parent: worker.task(1))
        bus.control(worker, worker.endings(sequence, [worker.ending(child, state, total: 10)]))
        bus.pass()
    }

    @Test func childrenComeInBlocksOf64Places() {
        var bus = bus(children: 100)
        let job = worker.task(1)
        let first = bus.rows(of: .children(job, block: 0), asking: viewer)
        let second = bus.rows(of: .children(job, block: 1), asking: viewer)
        #expect(Set(first.map(\.description_p.place)) == Set(1...64))
        #expect(Set(second.map(\.description_p.place)) == Set(65...100))
    }

    @Test func aChangedChildIsPublishedInItsBlockAlone() {
        var bus = bus(children: 100)
        let job = worker.task(1)
        bus.subscribe(.children(job, block: 0))
        bus.subscribe(.children(job, block: 1))
        bus.report(worker) {
            $0.sequence = 2
            $0.add(101, completed: 5, total: 10)
        }
        bus.pass()
        let updates = bus.published.filter { !$0.update.rows.isEmpty }
        #expect(updates.map(\.topic) == [.children(job, block: 1)])
        #expect(updates.first?.update.rows.map(\.task.index) == [101])
    }

    @Test func aNewChildTakesAFreedPlaceAndTheFormerOneLeavesItsBlock() {
        var bus = bus(children: 18)
        let job = worker.task(1)
        bus.subscribe(.children(job, block: 0))
        for index in UInt64(2)...18 { end(index, .succeeded, sequence: index, in: &bus) }
        bus.pass()
        bus.report(worker) {
            $0.sequence = 30
            $0.descriptions = [worker.description(40, "Next", parent: job)]
        }
        bus.pass()
        let rows = bus.rows(of: .children(job, block: 0), asking: viewer)
        #expect(rows.first { $0.description_p.place == 1 }?.description_p.title == "Next")
        #expect(rows.count == 18)
        let further = bus.rows(of: .children(job, block: 1), asking: viewer)
        #expect(further.map(\.task.index) == [2])
        #expect(further.map(\.description_p.place) == [65])
        let removed = bus.published.flatMap(\.update.removed)
        #expect(removed.map(\.task.index) == [2])
        #expect(removed.map(\.reason) == ["evicted"])
    }

    @Test func aByteForEachCellSaysWhatHasBecomeOfIt() {
        var bus = bus(children: 3)
        let job = worker.task(1)
        bus.subscribe(.states(job, block: 0))
        end(2, .succeeded, sequence: 2, in: &bus)
        end(3, .failed, sequence: 3, in: &bus)
        let states = bus.published.last { !$0.update.stateBytes.isEmpty }?.update.stateBytes
        // 1 + state; a failed one also needs attention.
        #expect(states == [5, 6 | 0x40, 2])
    }

    @Test func numbersThatRisePublishTheMosaicAgainWithEachEighthOnly() {
        var bus = bus(children: 3)
        let job = worker.task(1)
        bus.subscribe(.states(job, block: 0))
        for completed in Int64(1)...14 {
            bus.report(worker) {
                $0.sequence = 1 + UInt64(completed)
                $0.add(2, completed: completed, total: 100)
            }
            bus.pass()
            let mosaics = bus.published.map(\.update.stateBytes).filter { !$0.isEmpty }
            if completed < 13 {
                #expect(mosaics.count <= 1, "the first change says what there is")
            } else {
                #expect(mosaics.count == 2)
                #expect(mosaics.last == [9, 2, 2], "8 and the eighths, in the place of 2")
            }
        }
    }

    @Test func theMosaicThatIsPublishedIsTheOneThatASnapshotShows() {
        var bus = bus(children: 30)
        let job = worker.task(1)
        bus.subscribe(.states(job, block: 0))
        var random = SplitMix64(seed: 5)
        var sequence: UInt64 = 1
        for next in UInt64(40)..<140 {
            sequence += 1
            let state = [WireStatedState.succeeded, .failed, .cancelled].randomElement(
                using: &random
            )
            end(
                UInt64.random(in: 2..<32, using: &random),
                state ?? .failed,
                sequence: sequence,
                in: &bus
            )
            sequence += 1
            bus.report(worker) {
                $0.sequence = sequence
                $0.descriptions = [
                    worker.description(next, "More", parent: worker.task(next % 2 == 0 ? 1 : 4))
                ]
            }
            bus.pass()
            var request = WireSnapshotRequest()
            request.request = 3
            request.topic = Topic.states(job, block: 0).name
            bus.control(viewer, .snapshot(request))
            guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else {
                Issue.record("no snapshot")
                return
            }
            let last = bus.published.last { !$0.update.stateBytes.isEmpty }
            #expect(last?.update.stateBytes == chunk.stateBytes)
        }
    }
}
