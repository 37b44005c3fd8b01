import CellScreen
import Foundation
import ProgressBus
import TaskTree

@testable import DashboardCore

/// What people see of the dashboard, as `Tools/Generate/pictures` draws it.
enum Scene: String, CaseIterable {
    case busy, trouble, empty, job, training, mosaic, details, messages, cancel, help
    case away, finding
    case light, dark
    case sixteen = "16-colours"
    case plain = "no-colour"
    case ascii

    func grid(columns: Int, rows: Int) -> CellGrid {
        var stage = Stage(columns: columns, rows: rows) { options in
            switch self {
            case .light: options.theme = .light
            case .dark: options.theme = .dark
            case .sixteen: options.theme = .standard.reduced(toColors: 16)
            case .plain: options.theme = .monochrome
            case .ascii: (options.theme, options.glyphs) = (.monochrome, .ascii)
            default: break
            }
        }
        switch self {
        case .empty: stage.deliver()
        case .busy: stage.play(SceneBus.busy)
        case .trouble, .light, .dark, .sixteen, .plain, .ascii: stage.play(SceneBus.trouble)
        case .job:
            stage.play(SceneBus.backup, seconds: 4)
            stage.press(.enter, .down, .down)
        case .training:
            stage.play(SceneBus.training)
            stage.press(.enter, .down)
        case .mosaic:
            stage.play(SceneBus.film, seconds: 1)
            stage.type("m")
            stage.press(.down, .down, .right, .right)
        case .details:
            stage.play(SceneBus.trouble, seconds: 0)
            stage.press(.down, .tab)
            stage.advance(seconds: 70)
        case .messages:
            stage.play(SceneBus.trouble)
            stage.type("L")
            stage.sayAll()
        case .cancel:
            stage.play(SceneBus.trouble)
            stage.press(.down)
            stage.type("x")
        case .help:
            stage.play(SceneBus.busy)
            stage.type("?")
        case .finding:
            stage.play(SceneBus.trouble)
            stage.type("/re")
        case .away:
            stage.play(SceneBus.trouble)
            stage.connection = .reconnecting
            stage.deliver()
            stage.wait(14)
        }
        return stage.grid
    }
}

extension Stage {
    /// Reports tasks and lets them work for a while.
    fileprivate mutating func play(_ tasks: [TaskSnapshot], seconds: Int = 70) {
        report(tasks)
        advance(seconds: seconds)
    }

    /// Lets all that runs advance by its rate, which wavers.
    fileprivate mutating func advance(seconds: Int) {
        for second in 0..<seconds {
            wait(1)
            let changed = tasks.values.sorted { $0.id < $1.id }.compactMap { task in
                task.after(second: second)
            }
            report(changed)
        }
    }

    fileprivate mutating func sayAll() {
        let said = [
            (1, "12 files cannot be read; they are left out"),
            (1, "the disk of nas is 91 % full"),
            (1, "photos/2019 is done: 4,211 files, 31 GB"),
            (1, "photos/2020 has 310 duplicates"),
        ]
        for (offset, (job, text)) in said.enumerated() {
            say(text, from: .number(job), at: SceneBus.begun + Double(offset * 17))
        }
        deliver()
    }
}

extension TaskSnapshot {
    /// The task a second later; `nil` if nothing goes on in it.
    fileprivate func after(second: Int) -> TaskSnapshot? {
        guard condition == .running || condition == .cancelling else { return nil }
        var task = self
        let number = Int(id.index)
        let usual = rate ?? 0
        let wave = [1.0, 1.1, 1.3, 1.2, 0.9, 0.7, 0.8, 1.0, 0.5, 0.6]
        let now = usual * wave[(second / 3 + number) % 10] / wave[(second / 3 + number + 9) % 10]
        task.completed += Int64(usual.rounded())
        if let total, total > 0 {
            task.completed = min(task.completed, total - 1)
            if !isIndeterminate { task.bothFractions = Double(task.completed) / Double(total) }
        }
        if rate != nil { task.rate = now }
        task.secondsLeft = secondsLeft.map { max($0 - 1, 1) }
        task.elapsed = elapsed.map { $0 + 1 }
        return task
    }
}
