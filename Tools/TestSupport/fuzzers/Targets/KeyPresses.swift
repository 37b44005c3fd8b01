import CellScreen
import DashboardCore
import ProgressBus
import TaskTree

/// Bytes from the terminal become keys, and keys change a dashboard that has some tasks to show.
enum KeyPresses {
    private static let session = SessionID(rawValue: 5)

    static func play(_ input: [UInt8]) {
        var now = Moment(nanoseconds: 1_000_000_000_000)
        var model = DashboardModel(options: DashboardOptions(), columns: 60, rows: 14, at: now)
        _ = model.begin(at: now)
        _ = model.handle(.update(picture), at: now)
        var decoder = InputDecoder()
        var presses = 0
        for scalar in String(decoding: input.prefix(512), as: UTF8.self).unicodeScalars {
            var inputs = [decoder.take(.scalar(scalar.value), at: now)]
            // A private use character stands for a time in which nothing comes.
            if scalar.value == 0xE000 {
                now = now.advanced(bySeconds: 5)
                inputs.append(decoder.pause(at: now))
            }
            for case .key(let key)? in inputs where presses < 48 {
                presses += 1
                now = now.advanced(bySeconds: 0.1)
                _ = model.handle(.key(key), at: now)
            }
            for case .paste(let text)? in inputs { _ = model.handle(.paste(text), at: now) }
            if case .mode(let number, _)? = inputs[0], presses < 48 {
                presses += 1
                _ = model.handle(event(number), at: now)
            }
        }
        _ = model.draw(at: now)
        _ = model.nextFrame(after: now)
    }

    /// What is no key, drawn from a number of the input.
    private static func event(_ number: Int) -> DashboardEvent {
        switch number % 4 {
        case 0: .resize(columns: number / 4 % 200, rows: number / 7 % 60)
        case 1: .mouse(MouseEvent(.click, column: number / 4 % 70, row: number / 70 % 20))
        case 2: .mouse(MouseEvent(number % 8 < 4 ? .wheelUp : .wheelDown, column: 2, row: 3))
        default: .answered(request: number / 4 % 4, .success([]))
        }
    }

    private static let picture: ViewportUpdate = {
        var picture = ViewportUpdate(connection: .live)
        picture.broker = Board.Broker()
        picture.highestSlot = 3
        for number in 1...3 {
            let job = TaskID(index: UInt64(number), session: session)
            var row = TaskSnapshot(id: job, title: "Job \(number)")
            row.slot = number
            row.options.isCancellable = number == 1
            row.needsAttention = number == 2
            row.state = number == 2 ? .failed : .running
            picture.changed.append(row)
            var children: [TaskID] = []
            for place in 1...4 {
                let id = TaskID(index: UInt64(number * 10 + place), session: session)
                var child = TaskSnapshot(id: id, job: job, title: "Child \(place) é進")
                child.parent = job
                child.place = place
                child.cell = place
                child.depth = 1
                child.fraction = 0.3
                child.displayFraction = 0.3
                child.isIndeterminate = false
                picture.changed.append(child)
                children.append(id)
            }
            picture.members[.children(of: job, block: 0)] = children
        }
        picture.members[.board(page: 0)] = (1...3).map {
            TaskID(index: UInt64($0), session: session)
        }
        return picture
    }()
}
