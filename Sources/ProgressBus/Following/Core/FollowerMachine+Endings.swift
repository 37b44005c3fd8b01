import BusProtocol
import TaskTree

/// How the sequence of one task ends: with its final state and its last messages.
extension FollowerMachine {
    /// Until when a sequence that has given its final state waits for messages.
    ///
    /// Messages take another way than endings, and come up to two ticks after them.
    func endOfMessages(of ending: Follow.Ending) -> Moment {
        ending.since.advanced(bySeconds: 2 * tickLength)
    }

    /// The final state at once; then once more, if messages have come after it.
    mutating func lastValue(
        for id: UInt64,
        _ follow: Follow,
        _ ending: Follow.Ending,
        at now: Moment
    ) -> Delivery? {
        guard case .task(_, let job, _) = follow.interest, case .final(var last) = ending.delivery
        else {
            unfollow(id)
            return ending.delivery
        }
        last.messages = messages(of: job, for: follow)
        if isOnce || now >= endOfMessages(of: ending) {
            unfollow(id)
            return ending.isGiven && last.messages.isEmpty ? .finished : .final(last)
        }
        guard !ending.isGiven else { return nil }
        follows[id]?.ending?.isGiven = true
        follows[id]?.messagesSeen = messages.count
        return .task(last)
    }

    /// Makes and keeps the last value of each followed task that has ended, before the consumer
    /// asks for it.
    ///
    /// So no later change can take that value away.
    mutating func noteEndings(at now: Moment) {
        for (id, follow) in follows where follow.ending == nil && follow.completeEpoch == link.epoch
        {
            guard case .task(let task, let job, let depth) = follow.interest, link.epoch != nil,
                let topic = topics[.job(job)]
            else { continue }
            if let row = topic.held?.rows[task] {
                guard row.task.state.isEnded else { continue }
                let last = snapshot(of: row, topic, depth: depth, at: now)
                let connection = connection(of: follow, at: now)
                end(id, .final(TaskUpdate(task: last, connection: connection)), at: now)
            } else {
                end(id, .failed(.left(follow.formerTask, task: task)), at: now)
            }
        }
    }

    /// A task has left a followed job: ends the sequences of that task.
    mutating func taskLeft(
        _ row: TopicContents.Row,
        reason: String,
        job: TaskID,
        at now: Moment
    ) {
        for (id, follow) in follows where follow.ending == nil {
            guard case .task(let task, job, let depth) = follow.interest,
                task == row.task.id, reason != "moved"
            else { continue }
            var last = row
            if !row.task.state.isEnded {
                switch reason {
                case "succeeded": last.task.state = .succeeded
                case "cancelled": last.task.state = .cancelled
                default: break
                }
                last.task.show(atLeast: 0)
            }
            let parts = partContents(of: task, in: .job(job), depth: depth)
            let present = link.brokerTime?.seconds
            let snapshot =
                topics[.job(job)]?.held?.snapshot(of: last, with: parts, depth: depth, at: present)
                ?? last.shown(at: present)
            let hasEnded = last.task.state.isEnded
            end(
                id,
                hasEnded
                    ? .final(TaskUpdate(task: snapshot, connection: .live))
                    : .failed(.left(snapshot, task: task)),
                at: now
            )
        }
    }

    private mutating func end(_ id: UInt64, _ delivery: Delivery, at now: Moment) {
        follows[id]?.ending = Follow.Ending(delivery: delivery, since: now)
    }
}

extension FollowError {
    fileprivate static func left(_ last: TaskSnapshot?, task: TaskID) -> FollowError {
        var sentence = "task \(task) has left the bus and nobody saw how it ended"
        if let last {
            let percent = Int(last.displayFraction * 100)
            sentence += "; \"\(last.title)\" was last seen \(last.state.rawValue) at \(percent) %"
        }
        return FollowError(.left, sentence)
    }
}
