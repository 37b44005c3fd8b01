import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// While the picture is frozen, keys look at what is on the screen, or say why they do nothing.
@Suite("A frozen picture")
struct FreezeTests {
    private func frozen(_ rows: TaskSnapshot...) -> Stage {
        var stage = Stage()
        stage.report(rows)
        stage.type("f")
        return stage
    }

    private func commands(_ stage: Stage) -> [(TaskRequest, TaskID)] {
        stage.actions.compactMap { action in
            if case .perform(_, let verb, let task) = action { (verb, task) } else { nil }
        }
    }

    @Test("nothing is asked of a task on a frozen picture, and it is said why", arguments: "xpdD")
    func asksNothing(key: Character) {
        var stage = frozen(
            .job(1, "Import") { $0.options.isPausable = true },
            .job(2, "Broken") { $0.state = .failed }
        )
        for _ in 0..<2 {
            for words in ["x cancel", "p pause", "d dismiss", "D dismiss all"] {
                #expect(!stage.screen.contains(words))
            }
            stage.press(.character(key))
            #expect(stage.model.dialog == nil)
            #expect(commands(stage).isEmpty)
            #expect(stage.screen.contains("the picture is frozen; f goes on"))
            stage.wait(10)
            stage.press(.down)
        }
        stage.press(key == "d" ? .down : .up, .character("f"), .character(key))
        #expect(stage.model.dialog != nil || !commands(stage).isEmpty)
    }

    @Test("details that are closed and opened again have the plot that they had")
    func plot() throws {
        var stage = Stage(columns: 100, rows: 40)
        for second in 0..<4 {
            stage.report(.job(1, "Import") { $0.completed = Int64(10 * second) })
            stage.press(second == 0 ? .tab : .home)
            stage.wait(1)
        }
        stage.type("f")
        let plot = try #require(stage.model.pane.plot).rates.seconds
        stage.press(.tab)
        #expect(stage.model.pane.content == nil)
        stage.press(.tab)
        #expect(stage.model.pane.content == .details)
        #expect(stage.model.pane.plot?.rates.seconds == plot && !plot.isEmpty)
    }

    @Test("a task on the screen that has left: its keys do not reach who took its place")
    func successor() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.press(.enter, .down)
        stage.type("f")
        stage.tasks[.number(21)] = nil
        stage.report(.child(30, of: Samples.backup, "Successor", place: 1))
        stage.press(.down, .up)
        #expect(stage.screen.contains("Scan") && !stage.screen.contains("Successor"))
        stage.type("fx")
        #expect(stage.model.dialog == nil)
        #expect(stage.screen.contains("this row now shows \"Successor\""))
    }

    @Test("what the picture does not hold cannot be gone to: the key says why")
    func notHeld() {
        var stage = Stage()
        stage.report(
            (1...200).map { .job($0, "job \($0)") { $0.counts.running = 5 } } + Samples.children
        )
        stage.type("f")
        for keys in [
            [Key.enter], [.end], [.character("m")], [.character("9"), .character("9"), .enter],
        ] {
            let before = stage.model.followed
            for key in keys { stage.give(.key(key)) }
            #expect(stage.model.view == .board)
            #expect(stage.model.board.slot == 1)
            #expect(stage.model.followed == before)
            #expect(stage.screen.contains("the frozen picture does not show that; f goes on"))
            stage.wait(10)
        }
        stage.press(.pageDown)
        #expect(stage.screen.contains("job 30"))
        stage.type("f")
        stage.press(.home, .enter)
        #expect(stage.model.view == .job)
    }

    @Test("n to a task that is not on the frozen picture: the cursor stays, and it is said")
    func jump() {
        let render = TaskSnapshot.job(2, "Render", slot: 90) { $0.needsAttention = true }
        var stage = frozen(.job(1, "First"), render)
        stage.type("n")
        #expect(stage.model.board.slot == 1)
        #expect(stage.screen.contains("nothing here needs attention"))
    }

    @Test("names of cells are of the present: a frozen mosaic asks for none, and Enter says so")
    func mosaic() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.type("mf")
        let asked = stage.actions.count
        stage.press(.end)
        #expect(stage.actions.count == asked)
        #expect(stage.screen.contains("cell 25: "))
        stage.press(.enter)
        #expect(stage.model.view == .mosaic)
        #expect(stage.screen.contains("has no name for this cell"))
    }

    @Test("everything on the screen stands still but the age and the notes")
    func everything() {
        var stage = Stage(columns: 120, rows: 30)
        stage.report(Samples.board + Samples.children)
        stage.type("+++")
        stage.press(.tab)
        stage.deliver()
        stage.type("f")
        let before = stage.grid
        stage.wait(3.3)
        stage.change(.number(23)) { $0.state = .running }
        stage.change(.number(21)) { $0.state = .failed }
        stage.report(.job(20, "New", slot: 2))
        stage.report(.job(22, "Side", slot: 22) { $0.options.isBackground = true })
        stage.change(.number(1)) { $0.completed = 77 }
        for row in 1..<29 { #expect(stage.grid.line(row) == before.line(row)) }
        let header = stage.grid.line(0)
        #expect(header.prefix(100) == before.line(0).prefix(100))
        #expect(header.contains("frozen 3 s"))
        stage.type("f")
        #expect(stage.screen.contains("New"))
    }

    @Test("R does not thaw it, and says so; the lines that are left behind are of the present")
    func refresh() {
        var stage = frozen(.job(1, "Import"))
        stage.type("R")
        #expect(stage.actions == [.redraw])
        #expect(stage.screen.contains("the picture is frozen; f goes on"))
        stage.change(.number(1)) { $0.bothFractions = 0.77 }
        #expect(stage.model.receipt(at: stage.now).first?.contains("77%") == true)
        #expect(stage.model.title(at: stage.now) == "77% Import")
    }

    @Test("a resize is heeded: nothing of the picture is lost, nothing comes that it has not")
    func resize() {
        var stage = frozen(.job(1, "First"), .job(3, "Third"))
        stage.resize(columns: 40, rows: 8)
        #expect(stage.find("Third")?.row == stage.top + 2)
        stage.resize(columns: 200, rows: 150)
        #expect(stage.find("Third")?.row == stage.top + 2)
        stage.press(.down, .down)
        #expect(stage.model.selected == .number(3))
    }
}
