import TaskTree
import Testing

@testable import ProgressBus

@Suite("Indices of tasks")
struct TaskIndexTests {
    @Test("A session that has used up all its indices reports nothing more, and goes on")
    func indices() throws {
        var stage = Stage()
        stage.connect()
        stage.machine.lastIndex = TaskIndex.greatest - 1
        let last = stage.begin("last")
        #expect(last == TaskIndex.greatest)
        stage.advance(last, by: 3)
        let beyond = TaskRecord(title: "beyond")
        #expect(stage.machine.begin(beyond, below: last, at: stage.now) == 0)
        #expect(!beyond.advance(by: 1))
        #expect(beyond.isSetEnded)
        stage.pass(milliseconds: 100)
        #expect(stage.reported(last) == 3)
        #expect(stage.machine.tasks.count == 1)
        try stage.checkFrames()
    }

    @Test("An index of six bytes keeps every index there is")
    func indexBytes() {
        #expect(MemoryLayout<TaskIndex>.size == 6)
        #expect(MemoryLayout<TaskIndex>.alignment == 2)
        for value in [0, 1, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, TaskIndex.greatest] {
            var index = TaskIndex()
            index.value = value
            #expect(index.value == value)
        }
    }
}
