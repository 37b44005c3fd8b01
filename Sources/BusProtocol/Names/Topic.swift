package import TaskTree

/// What a viewer can subscribe to: a name for one part of the picture.
///
/// Every name ends in a slash, so that none is a prefix of another one of its kind.
package enum Topic: Hashable, Sendable {
    /// Counts over everything.
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

    /// What is subscribed to on the updates socket.
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
        guard name.utf8.count <= ProtocolLimits.topicBytes, let topic = Topic(parts: name.parts),
            topic.name == name
        else { return nil }
        self = topic
    }

    private init?(parts: [Substring]) {
        switch (parts.first, parts.count) {
        case ("totals", 2): self = .totals
        case ("attention", 2): self = .attention
        case ("board", 3):
            guard let page = parts[1].block else { return nil }
            self = .board(page: page)
        case ("children", 4):
            guard let task = TaskID(String(parts[1])), let block = parts[2].block else {
                return nil
            }
            self = .children(task, block: block)
        case ("states", 4):
            guard let job = TaskID(String(parts[1])), let block = parts[2].block else {
                return nil
            }
            self = .states(job, block: block)
        case ("job", 3):
            guard let job = TaskID(String(parts[1])) else { return nil }
            self = .job(job)
        case ("hosts", 3):
            guard let job = TaskID(String(parts[1])) else { return nil }
            self = .hosts(job)
        case ("log", 3):
            guard let job = TaskID(String(parts[1])) else { return nil }
            self = .log(job)
        case ("probe", 3):
            guard let token = UInt64(parts[1]) else { return nil }
            self = .probe(token)
        default: return nil
        }
    }
}

extension String {
    /// Between the slashes; the last part of a topic's name is empty.
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
