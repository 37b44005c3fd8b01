import BrokerCore
import BusProtocol
import TaskTree
import TestSupport
import Testing

/// Which places children have, and for how long they keep them.
@Suite struct PlaceTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)
    private var job: TaskID { worker.task(1) }

    private func begun() -> Bus {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.keyframe(worker) {
            $0.descriptions = [worker.description(1, "Job")]
        }
        bus.pass()
        return bus
    }

    private func child(_ index: UInt64) -> WireDescription {
        worker.description(index, "Child \(index)", parent: job)
    }

    private func places(in bus: inout Bus, blocks: Int = 40) -> [UInt64: UInt32] {
        let rows = (0..<blocks).flatMap { bus.rows(of: .children(job, block: $0), asking: viewer) }
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0.task.index, $0.description_p.place) }
        )
    }

    @Test("2,000 short children, eight at a time: those at work keep to 25 places, all are shown")
    func aPoolKeepsToTheFirstPlaces() {
        var bus = begun()
        var random = SplitMix64(seed: 3)
        var running: [UInt64: (ticks: Int, place: UInt32?)] = [:]
        var next: UInt64 = 2
        var sequence: UInt64 = 1
        var highest: UInt32 = 0
        while next < 2_002 || !running.isEmpty {
            let ended = running.filter { $0.value.ticks <= 0 }.map(\.key).sorted()
            for index in ended { running[index] = nil }
            if !ended.isEmpty {
                sequence += 1
                let endings = ended.map { worker.ending(child($0), .succeeded, total: 1) }
                bus.control(worker, worker.endings(sequence, endings))
            }
            sequence += 1
            bus.report(worker) {
                $0.sequence = sequence
                while running.count < 8, next < 2_002 {
                    $0.descriptions.append(child(next))
                    $0.add(next, completed: 0, total: 1)
                    running[next] = (Int.random(in: 0...1, using: &random), nil)
                    next += 1
                }
            }
            bus.pass(0.05, hearing: [worker, viewer])
            let places = places(in: &bus, blocks: 1)
            for (index, known) in running {
                let place = places[index]
                highest = max(highest, place ?? 0)
                #expect(place != nil && (known.place == nil || known.place == place))
                running[index] = (known.ticks - 1, place)
            }
        }
        #expect((24...25).contains(highest), "highest place \(highest)")
        let places = places(in: &bus)
        #expect(places.count == 2_000)
        #expect(Set(places.values).count == 2_000)
    }

    @Test("after a restart: who was never told a place takes none of the last keyframe")
    func toldPlacesComeFirst() {
        let other = Client(3)
        let shown = TaskID(index: 9, session: other.session)
        var bus = begun()
        bus.control(other, other.hello)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(9, "Shown", parent: job)]
        }
        bus.pass()
        let place = bus.row(shown, asking: viewer)?.description_p.place

        var next = bus.restarted()
        for client in [worker, other, viewer] { next.control(client, client.hello) }
        next.pass()
        next.keyframe(worker, sequence: 2) {
            $0.descriptions = [worker.description(1, "Job"), child(2)]
        }
        next.keyframe(other, sequence: 2) {
            var description = other.description(9, "Shown", parent: job)
            description.place = place ?? 0
            $0.descriptions = [description]
        }
        next.pass()
        #expect(place == 1)
        #expect(next.row(shown, asking: viewer)?.description_p.place == place)
        #expect(next.row(worker.task(2), asking: viewer)?.description_p.place == 2)
    }

    @Test("40 children that ran at once and ended: all of them stay where they were")
    func thoseThatEndedTogetherStay() {
        var bus = begun()
        let indices = (2..<42).map { UInt64($0) }
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = indices.map(child)
            for index in indices { $0.add(index, completed: 0, total: 1) }
        }
        bus.pass()
        let before = places(in: &bus)
        #expect(before.count == 40 && Set(before.values) == Set(1...40))
        for (number, index) in indices.enumerated() {
            let ending = worker.ending(child(index), .succeeded, total: 1)
            bus.control(worker, worker.endings(3 + UInt64(number), [ending]))
            if number.isMultiple(of: 7) { bus.pass() }
        }
        bus.pass(12, hearing: [worker, viewer])
        #expect(places(in: &bus) == before)
    }

    @Test("the one that ended longest ago gives its place up first")
    func theOldestGoesFirst() {
        var bus = begun()
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = (2..<21).map { child($0) }
            for index in UInt64(2)..<21 { $0.add(index, completed: 0, total: 1) }
        }
        bus.pass()
        // 19 at work; 18 of them end, backwards, and two of those are over the limit.
        for (number, index) in (UInt64(3)..<21).reversed().enumerated() {
            let ending = worker.ending(child(index), .cancelled, total: 1)
            bus.control(worker, worker.endings(3 + UInt64(number), [ending]))
            bus.pass()
        }
        bus.report(worker) {
            $0.sequence = 30
            $0.descriptions = (21..<24).map { child($0) }
            for index in UInt64(21)..<24 { $0.add(index, completed: 0, total: 1) }
        }
        bus.pass()
        let places = places(in: &bus)
        #expect(Set([places[21], places[22]]) == [18, 19])
        #expect(places[23] == 20, "16 that have ended still hold theirs")
        #expect(places[18] == 17)
        #expect(Set([places[20], places[19]]) == [65, 66], "behind all places of those at work")
    }

    @Test("a failed child keeps its place until it is dismissed, however many end")
    func failedOnesAreNotCounted() {
        var bus = begun()
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = (2..<32).map { child($0) }
            for index in UInt64(2)..<32 { $0.add(index, completed: 0, total: 1) }
        }
        bus.pass()
        let endings = (UInt64(2)..<32).map { index in
            worker.ending(child(index), index < 12 ? .failed : .succeeded, total: 1)
        }
        bus.control(worker, worker.endings(3, endings))
        bus.pass(15, hearing: [worker, viewer])
        bus.report(worker) {
            $0.sequence = 4
            $0.descriptions = [child(40)]
            $0.add(40, completed: 0, total: 1)
        }
        bus.pass()
        let places = places(in: &bus)
        #expect((UInt64(2)..<12).allSatisfy { places[$0] == UInt32($0 - 1) })
        #expect(places[40] == 11)
    }

    @Test("40 children that had ended before the broker heard of them: all are shown")
    func endedBeforeTheBroker() {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        let endings = (UInt64(2)..<42).map { worker.ending(child($0), .succeeded, total: 1) }
        bus.control(worker, worker.endings(1, endings))
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(1, "Job")]
        }
        bus.pass()
        #expect(Set(places(in: &bus).values) == Set(1...40))
    }

    @Test("after a restart a child that began and ended within one step is where it was")
    func beganAndEndedAtOnce() {
        var bus = begun()
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = (UInt64(2)...4).map(child)
        }
        bus.pass()
        bus.control(worker, worker.endings(3, [worker.ending(child(5), .succeeded, total: 1)]))
        bus.pass()
        let before = places(in: &bus)
        #expect(before[5] == 4)

        var next = bus.restarted()
        for client in [worker, viewer] { next.control(client, client.hello) }
        next.keyframe(worker, sequence: 4) {
            $0.descriptions = [worker.description(1, "Job")]
            // The first place is free by now.
            for index in UInt64(3)...4 {
                var description = child(index)
                description.place = before[index] ?? 0
                $0.descriptions.append(description)
            }
        }
        next.pass(3, hearing: [worker, viewer])
        #expect(places(in: &next) == [3: 2, 4: 3, 5: 4])
    }

    @Test("after a restart the last of those that ended in one place is shown there")
    func endedLast() throws {
        var bus = begun()
        var sequence: UInt64 = 1
        // Of 40 one after the other many have had one place.
        for index in UInt64(2)..<42 {
            bus.control(
                worker,
                worker.endings(sequence + 1, [worker.ending(child(index), .succeeded, total: 1)])
            )
            sequence += 1
            bus.pass(1.1, hearing: [worker, viewer])
        }
        let before = places(in: &bus, blocks: 2).filter { $0.value <= 16 }
        #expect(before.count == 16 && before.keys.contains { $0 > 30 })
        var next = bus.restarted()
        for client in [worker, viewer] { next.control(client, client.hello) }
        next.pass(3, hearing: [worker, viewer])
        let after = places(in: &next, blocks: 2)
        for (index, place) in before { #expect(after[index] == place, "child \(index)") }
    }

    @Test("after a restart a new child takes no row of those that have ended")
    func newChildAfterRestart() {
        var bus = begun()
        var sequence: UInt64 = 1
        for index in UInt64(2)...5 {
            sequence += 1
            bus.report(worker) {
                $0.sequence = sequence
                $0.descriptions = [child(index)]
                $0.add(index, completed: 0, total: 1)
            }
            bus.pass()
            guard index < 5 else { break }
            sequence += 1
            let ending = worker.ending(child(index), .succeeded, total: 1)
            bus.control(worker, worker.endings(sequence, [ending]))
            bus.pass()
        }
        let before = places(in: &bus)
        #expect(before == [2: 1, 3: 2, 4: 3, 5: 4])

        var next = bus.restarted()
        for client in [worker, viewer] { next.control(client, client.hello) }
        next.keyframe(worker, sequence: sequence + 1) {
            var running = child(5)
            running.place = 4
            $0.descriptions = [worker.description(1, "Job"), running]
        }
        next.pass(3, hearing: [worker, viewer])
        next.report(worker) {
            $0.sequence = sequence + 2
            $0.descriptions = [child(6)]
        }
        next.pass()
        #expect(places(in: &next) == before.merging([6: 5]) { $1 })
    }

    @Test("after a restart those at work are where they were, whatever ended ones claim")
    func restart() {
        var bus = begun()
        // 100 children, four at a time; their owner goes by what it is told.
        var sequence: UInt64 = 1
        for first in stride(from: UInt64(2), to: 102, by: 4) {
            sequence += 1
            bus.report(worker) {
                $0.sequence = sequence
                for index in first..<(first + 4) {
                    $0.descriptions.append(child(index))
                    $0.add(index, completed: 0, total: 1)
                }
            }
            bus.pass()
            guard first < 98 else { break }
            sequence += 1
            let endings = (first..<(first + 4)).map {
                worker.ending(child($0), .succeeded, total: 1)
            }
            bus.control(worker, worker.endings(sequence, endings))
            bus.pass()
        }
        let before = places(in: &bus)
        var told: [UInt64: (place: UInt32, cell: UInt32)] = [:]
        for case .places(let places) in bus.answers(to: worker) {
            for (number, index) in places.index.enumerated() {
                told[index] = (places.place[number], places.cell[number])
            }
        }

        var next = bus.restarted()
        for client in [worker, viewer] { next.control(client, client.hello) }
        next.keyframe(worker, sequence: sequence + 1) {
            $0.descriptions = [worker.description(1, "Job")]
            for index in UInt64(2)..<102 {
                var description = child(index)
                description.place = told[index]?.place ?? 0
                description.cell = told[index]?.cell ?? 0
                $0.descriptions.append(description)
                if index >= 98 { $0.add(index, completed: 0, total: 1) }
            }
        }
        let again = (UInt64(2)..<98).map { index in
            var description = child(index)
            description.place = told[index]?.place ?? 0
            return worker.ending(description, .succeeded, total: 1)
        }
        next.control(worker, worker.endings(sequence + 2, again))
        next.pass(3, hearing: [worker, viewer])
        let after = places(in: &next)
        #expect((UInt64(98)..<102).allSatisfy { after[$0] != nil && after[$0] == before[$0] })
        #expect(Set(after.values).count == after.count)
        #expect(after.count == 100, "all that have ended are shown")
    }
}
