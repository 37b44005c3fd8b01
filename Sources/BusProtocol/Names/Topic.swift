package import TaskTree

/// One part of the bus that a viewer can subscribe to.
///
/// Every name ends in a slash, so that none is a prefix of another one of its kind.
package enum Topic: Hashable, Sendable {
    /// The counts of all jobs and all tasks.
    case totals
    /// The ids of the tasks that need attention, at most 1,000.
    case attention
    /// The jobs in 64 slots: page 0 has slots 1 to 64.
    case board(page: Int)
    /// 64 places below one task: block 0 has places 1 to 64.
    case children(TaskID, block: Int)
    /// The states of 4,096 cells of one job, one byte each: block 0 has cells 1 to 4,096.
    case states(TaskID, block: Int)
    /// One job with everything below it.
    case job(TaskID)
    /// How many tasks below one job are in which state, by host.
    case hosts(TaskID)
    /// The log lines of one job.
    case log(TaskID)
    /// Answers to one probe of the three sockets.
    case probe(UInt64)

    /// The name, which a viewer subscribes to on the updates socket.
    package var name: String {
        switch self {
        case .totals: "totals/"
        case .attention: "attention/"
        case .board(let page): "board/\(page)/"
        case .children(let task, let block): "children/\(task)/\(block)/"
        case .states(let job, let block): "states/\(job)/\(block)/"
        case .job(let job): "job/\(job)/"
        case .hosts(let job): "hosts/\(job)/"
        case .log(let job): "log/\(job)/"
        case .probe(let token): "probe/\(token)/"
        }
    }

    /// Reads what `name` writes, letter by letter; `nil` for anything else.
    package init?(name: String) {
        guard name.utf8.count <= ProtocolLimits.topicBytes, let topic = Topic.of(name.parts),
            topic.name == name
        else { return nil }
        self = topic
    }

    private static func of(_ parts: [Substring]) -> Topic? {
        switch (parts.first, parts.count) {
        case ("totals", 2): .totals
        case ("attention", 2): .attention
        case ("board", 3): parts[1].block.map { .board(page: $0) }
        case ("children", 4): parts.taskAndBlock.map { .children($0, block: $1) }
        case ("states", 4): parts.taskAndBlock.map { .states($0, block: $1) }
        case ("job", 3): TaskID(String(parts[1])).map { .job($0) }
        case ("hosts", 3): TaskID(String(parts[1])).map { .hosts($0) }
        case ("log", 3): TaskID(String(parts[1])).map { .log($0) }
        case ("probe", 3): UInt64(parts[1]).map { .probe($0) }
        default: nil
        }
    }
}

extension Topic {
    /// The page of the board that a slot is on; slots count from 1.
    package static func page(ofSlot slot: Int) -> Int { (slot - 1) / ProtocolLimits.boardSlots }
}

extension String {
    /// The texts between the slashes; the last part of a topic's name is empty.
    fileprivate var parts: [Substring] {
        split(separator: "/", maxSplits: 8, omittingEmptySubsequences: false)
    }
}

extension Substring {
    /// The number of a page or block, from 0.
    fileprivate var block: Int? {
        guard let number = Int(self), number >= 0, number <= ProtocolLimits.maxPlace else {
            return nil
        }
        return number
    }
}

extension [Substring] {
    fileprivate var taskAndBlock: (TaskID, Int)? {
        guard let task = TaskID(String(self[1])), let block = self[2].block else { return nil }
        return (task, block)
    }
}
