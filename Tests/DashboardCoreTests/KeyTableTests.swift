import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// One table of keys for each view: what keys do, what the footer offers, what the help lists.
@Suite("Keys")
struct KeyTableTests {
    /// Everything that can be pressed.
    static let all: [Key] =
        (32...126).compactMap { Unicode.Scalar($0).map { .character(Character($0)) } } + [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .escape, .tab,
            .backspace,
        ]

    /// A dashboard in which a context has the keys.
    private func stage(_ context: KeyContext, columns: Int = 100, rows: Int = 30) -> Stage {
        var stage = Stage(columns: columns, rows: rows)
        stage.report(Samples.board + Samples.children)
        switch context {
        case .board: break
        case .ordered: stage.type("o")
        case .job: stage.press(.enter)
        case .mosaic: stage.type("m")
        case .help: stage.type("?")
        case .dialog: stage.type("x")
        case .slotLine: stage.type("1")
        case .filterLine: stage.type("/")
        }
        #expect(stage.model.keyContext == context)
        return stage
    }

    @Test("a key that is in no table does nothing", arguments: KeyContext.allCases)
    func otherKeys(context: KeyContext) {
        let table = KeyTable.of(context)
        for key in Self.all where table.action(for: key) == nil {
            var stage = stage(context)
            let (screen, actions) = (stage.grid, stage.actions)
            stage.press(key)
            #expect(stage.grid == screen, "\(key)")
            #expect(stage.actions == actions, "\(key)")
            #expect(stage.model.keyContext == context, "\(key)")
        }
    }

    @Test("a key is in a table once", arguments: KeyContext.allCases)
    func once(context: KeyContext) {
        var seen: Set<Key> = []
        for binding in KeyTable.of(context).bindings {
            for key in binding.actions.keys { #expect(seen.insert(key).inserted, "\(key)") }
        }
    }

    @Test("no key means one thing in a view and another in the next; arrows and h j k l move")
    func neighbours() {
        var meanings: [Key: KeyAction] = [:]
        for context in [KeyContext.board, .ordered, .job, .mosaic, .help, .dialog] {
            for binding in KeyTable.of(context).bindings {
                for (key, action) in binding.actions {
                    // In front of a view these lead back to it.
                    if [.back, .choose].contains(action) { continue }
                    if context == .dialog, key == .tab { continue }
                    #expect(meanings[key, default: action] == action, "\(key) in \(context)")
                    meanings[key] = action
                }
            }
        }
        let movement: [(Key, KeyAction.Direction)] = [
            (.up, .up), (.character("k"), .up), (.down, .down), (.character("j"), .down),
            (.left, .left), (.character("h"), .left), (.right, .right), (.character("l"), .right),
            (.pageUp, .pageUp), (.pageDown, .pageDown), (.home, .first), (.end, .last),
        ]
        for (key, direction) in movement { #expect(meanings[key] == .move(direction), "\(key)") }
    }

    @Test("the help lists each key of its view, and scrolls where the screen is too low")
    func help() {
        for context in [KeyContext.board, .ordered, .job, .mosaic] {
            var stage = stage(context, rows: 12)
            stage.type("?")
            var seen = stage.screen
            #expect(seen.contains("1 to 9 of"), "\(seen)")
            for _ in 0..<30 {
                stage.press(.down)
                seen += stage.screen
            }
            for binding in KeyTable.of(context).bindings {
                #expect(seen.contains(binding.name + " "), "\(binding.name)")
                #expect(seen.contains(binding.meaning), "\(binding.meaning)")
            }
            #expect(stage.grid.line(9).contains("q, Ctrl-C"), "\(stage.screen)")
            stage.press(.home)
            #expect(stage.screen.contains("1 to 9 of"))
            stage.press(.escape)
            #expect(stage.model.keyContext == context)
        }
    }

    @Test("the footer has as many keys as fit; ? and q are the last to go")
    func footer() {
        for columns in [16, 20, 40, 80, 120, 200] {
            let line = stage(.board, columns: columns).grid.line(29)
            #expect(line.hasSuffix("? keys  q quit"), "\(line)")
        }
        let wide = stage(.board, columns: 200).grid.line(29)
        for words in ["Enter open", "x cancel", "p pause", "n attention", "Tab details"] {
            #expect(wide.contains(words), "\(wide)")
        }
        for words in ["/ find", "o order", "L messages", "m mosaic", "f freeze", "R refresh"] {
            #expect(wide.contains(words), "\(wide)")
        }
        #expect(stage(.board, columns: 12).grid.line(29) == "q quit")
        #expect(stage(.job).grid.line(29).contains("p pause"))
    }

    @Test("what just happened hides nothing in a dialog")
    func notes() {
        for columns in [40, 80] {
            var stage = stage(.board, columns: columns)
            stage.press(.down)
            stage.type("p")
            #expect(stage.screen.contains("\"Index the library\" cannot pause"))
            stage.type("x")
            #expect(stage.grid.line(29).contains("Enter do it"))
            stage.give(.answered(request: 1, .success([])))
            #expect(stage.grid.line(29).contains("Enter do it"))
        }
    }

    @Test("the question before a cancel shows all its choices, however narrow the screen is")
    func dialog() {
        var stage = stage(.dialog, columns: 40, rows: 12)
        for words in ["[Keep Going]", "Pause Instead", "Cancel Task", "Cancel \"Back up photos\"?"]
        {
            #expect(stage.screen.contains(words), "\(stage.screen)")
        }
        stage.press(.down)
        #expect(stage.screen.contains("[Cancel Task]"))
        stage.resize(columns: 20, rows: 5)
        #expect(stage.screen.contains("[Cancel Task]"), "\(stage.screen)")
    }

    @Test("Enter on a task without others below it shows its details, and Esc closes them")
    func leaf() {
        var stage = stage(.job)
        stage.press(.down, .enter)
        #expect(stage.screen.contains("Details: Scan"))
        stage.press(.escape)
        #expect(!stage.screen.contains("Details"))
        #expect(stage.model.view == .job)
    }
}
