import CellScreen
import Foundation
import TaskTree

@testable import DashboardCore
@testable import ProgressBus

/// A dashboard in front of a bus of rows: only what it follows reaches it, as with a real one.
struct Stage {
    private(set) var model: DashboardModel
    private(set) var now: Moment
    /// All tasks there are.
    var tasks: [TaskID: TaskSnapshot] = [:]
    var connection = Board.Connection.live
    /// How long the broker has been there.
    var uptime = 86_400.0
    private var messages: [TaskMessage] = []
    /// What the dashboard wanted done and nobody has taken note of.
    var actions: [DashboardAction] = []
    private var followed: Set<ViewportPart> = []
    private var shown: [TaskID: TaskSnapshot] = [:]

    init(
        columns: Int = 80,
        rows: Int = 24,
        at seconds: Double = 1_000,
        _ change: (inout DashboardOptions) -> Void = { _ in }
    ) {
        var options = DashboardOptions()
        options.endpoint = "ipc:///tmp/progressbus-1000"
        change(&options)
        now = Moment(nanoseconds: 0).advanced(bySeconds: seconds)
        model = DashboardModel(options: options, columns: columns, rows: rows, at: now)
        take(model.begin(at: now))
    }

    // MARK: - The bus

    /// Adds or replaces tasks and shows the dashboard what it follows of them.
    mutating func report(_ rows: TaskSnapshot...) {
        report(rows)
    }

    mutating func report(_ rows: [TaskSnapshot]) {
        for row in rows {
            tasks[row.id] = row
            tasks[row.id]?.madeAt = now
        }
        deliver()
    }

    /// A job, or a task of it, says a line, which comes with the next delivery.
    mutating func say(
        _ text: String,
        from job: TaskID,
        by task: TaskID? = nil,
        at unixTime: Double
    ) {
        let time = Date(timeIntervalSince1970: unixTime)
        messages.append(TaskMessage(task: task ?? job, job: job, text: text, time: time))
    }

    /// Takes tasks off the bus.
    mutating func remove(_ ids: TaskID...) {
        for id in ids { tasks[id] = nil }
        deliver()
    }

    /// Changes a task.
    mutating func change(_ id: TaskID, _ change: (inout TaskSnapshot) -> Void) {
        guard var row = tasks[id] else { return }
        change(&row)
        report(row)
    }

    /// Lets time pass.
    mutating func wait(_ seconds: Double) {
        now = now.advanced(bySeconds: seconds)
    }

    /// Shows the dashboard what it follows.
    mutating func deliver() {
        var picture = ViewportUpdate(connection: connection)
        guard connection == .live else { return give(.update(picture)) }
        var broker = Board.Broker()
        broker.uptime = uptime
        broker.epoch = UInt64(uptime)
        for row in tasks.values {
            broker.taskCounts.add(row.state, times: 1)
            if row.parent == nil { broker.jobCounts.add(row.state, times: 1) }
            picture.highestSlot = max(picture.highestSlot, row.slot ?? 0)
            if row.needsAttention { broker.needingAttention += 1 }
        }
        broker.tasks = broker.taskCounts.sum
        broker.jobs = broker.jobCounts.sum
        picture.broker = broker
        var seen: [TaskID: TaskSnapshot] = [:]
        for part in followed {
            let members = tasks.values.filter { part.holds($0) }
            guard part.isListed else { continue }
            picture.members[part] = members.map(\.id).sorted()
            for row in members { seen[row.id] = row }
        }
        for job in Set(tasks.values.map(\.job)) where followed.contains(.states(of: job, block: 0))
        {
            picture.states[.states(of: job, block: 0)] = bytes(of: job)
        }
        picture.messages = messages.filter { followed.contains(.messages(of: $0.job)) }
        messages = []
        picture.changed = seen.values.filter { shown[$0.id] != $0 }
        shown = seen
        give(.update(picture))
    }

    private func bytes(of job: TaskID) -> [UInt8] {
        var bytes: [UInt8] = []
        for row in tasks.values where row.job == job {
            guard let cell = row.cell else { continue }
            while bytes.count < cell { bytes.append(0) }
            bytes[cell - 1] =
                MosaicCell(
                    row.state,
                    isStalled: row.isStalled,
                    isSilent: row.isSilent,
                    needsAttention: row.needsAttention,
                    fraction: row.isIndeterminate ? 0 : row.fraction
                ).byte
        }
        return bytes
    }

    // MARK: - The person

    /// Presses keys, each character one.
    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    mutating func press(_ keys: Key...) {
        for key in keys { give(.key(key)) }
    }

    mutating func click(column: Int, row: Int) {
        give(.mouse(MouseEvent(.click, column: column, row: row)))
    }

    mutating func resize(columns: Int, rows: Int) {
        give(.resize(columns: columns, rows: rows))
    }

    mutating func give(_ event: DashboardEvent) {
        take(model.handle(event, at: now))
    }

    /// Follows what is wanted and answers what can be; keeps the rest.
    private mutating func take(_ new: [DashboardAction]) {
        var isStale = false
        for action in new {
            switch action {
            case .follow(let parts):
                followed = parts
                isStale = true
            case .find(let request, let task):
                actions.append(action)
                give(.found(request: request, .success(found(task.description))))
            case .perform, .search, .refresh, .redraw, .leave, .copy, .tell:
                actions.append(action)
            }
        }
        if isStale {
            // Rows come again with a part that is followed again.
            shown = shown.filter { id, row in
                followed.contains { $0.holds(row) } && tasks[id] != nil
            }
            deliver()
        }
    }

    private func found(_ text: String) -> TaskMatch? {
        let row: TaskSnapshot?
        if text.hasPrefix("cell:") {
            let parts = text.dropFirst(5).split(separator: "@")
            row = tasks.values.first {
                String($0.cell ?? 0) == parts[0] && $0.job.description == parts[1]
            }
        } else {
            let name = text.hasPrefix("id:") ? String(text.dropFirst(3)) : text
            row = tasks.values.first { $0.id.description == name || $0.key == name }
        }
        guard let row else { return nil }
        var path: [TaskID] = []
        var places: [Int] = []
        var step = row
        while let parent = step.parent, let above = tasks[parent] {
            path.insert(parent, at: 0)
            places.insert(step.place ?? 1, at: 0)
            step = above
        }
        return TaskMatch(
            task: row.id,
            job: row.job,
            title: row.title,
            slot: tasks[row.job]?.slot,
            path: path,
            places: places
        )
    }

    // MARK: - The screen

    var grid: CellGrid { model.draw(at: now) }

    var screen: String { grid.text }

    /// The row of the screen that shows a text, and the column where it begins; `nil` if none does.
    func find(_ text: String) -> (row: Int, column: Int)? {
        let grid = grid
        for row in 0..<grid.rows {
            let line = grid.line(row)
            guard let range = line.firstRange(of: text) else { continue }
            return (row, DisplayText.width(of: String(line[..<range.lowerBound])))
        }
        return nil
    }

    /// The row of the first slot, or of the job in its view.
    var top: Int { model.layout.body.row }

    /// A row of the body, from 0.
    func line(_ row: Int) -> String { grid.line(top + row) }

    /// How many rows show a text.
    func count(_ text: String) -> Int {
        let grid = grid
        return (0..<grid.rows).count { grid.line($0).contains(text) }
    }

    /// The style of the first cell of a text.
    func style(of text: String) -> CellStyle? {
        guard let place = find(text) else { return nil }
        return grid.cell(column: place.column, row: place.row)?.style
    }
}

extension ViewportPart {
    fileprivate var isListed: Bool {
        switch self {
        case .board, .children: true
        case .states, .hosts, .messages: false
        }
    }

    fileprivate func holds(_ row: TaskSnapshot) -> Bool {
        switch self {
        case .board(let page):
            return row.slot.map { ($0 - 1) / Self.slotsPerPage == page } ?? false
        case .children(let parent, let block):
            return row.parent == parent
                && row.place.map { ($0 - 1) / Self.placesPerBlock == block } ?? false
        case .states, .hosts, .messages:
            return false
        }
    }
}
