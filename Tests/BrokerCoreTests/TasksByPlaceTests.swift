import TaskTree
import TestSupport
import Testing

@testable import BrokerCore

@Suite("Which task is at which place")
struct TasksByPlaceTests {
    private func task(_ index: UInt64, _ session: UInt64 = 1) -> TaskID {
        TaskID(index: index, session: SessionID(rawValue: session))
    }

    @Test("whoever is put at a place is there until another is, or nobody")
    func exchange() {
        var tasks = TasksByPlace()
        #expect(tasks.put(task(5), at: 1) == nil)
        #expect(tasks.put(task(6), at: 1) == task(5))
        tasks[1] = nil
        #expect(tasks[1] == nil)
        #expect(tasks[0] == nil && tasks[-1] == nil && tasks[2] == nil)
    }

    @Test("tasks of other sessions and of great indices are told apart")
    func others() {
        var tasks = TasksByPlace()
        let ids = [task(1), task(1, 2), task(1 << 32), task(.max, 3), task(2)]
        for (number, id) in ids.enumerated() { tasks[number + 1] = id }
        #expect((1...5).map { tasks[$0] } == ids)
        tasks[2] = task(9)
        tasks[1] = task(9, 7)
        tasks[4] = nil
        #expect((1...5).map { tasks[$0] } == [task(9, 7), task(9), ids[2], nil, ids[4]])
    }

    @Test("like a table, whatever is put and taken, near and far")
    func likeTable() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var tasks = TasksByPlace()
        var table: [Int: TaskID] = [:]
        for round in 0..<20_000 {
            let place = Int.random(in: 1...(random.next() % 8 == 0 ? 90 : 12), using: &random)
            let id = task(
                random.next() % 16 == 0 ? .max : .random(in: 1...9, using: &random),
                random.next() % 4 == 0 ? 2 : 1
            )
            let isTaken = random.next() % 3 == 0
            tasks[place] = isTaken ? nil : id
            table[place] = isTaken ? nil : id
            let asked = Int.random(in: 1...90, using: &random)
            #expect(tasks[asked] == table[asked], "seed \(seed), round \(round), place \(asked)")
        }
        #expect((0...91).map { tasks[$0] } == (0...91).map { table[$0] }, "seed \(seed)")
    }
}
