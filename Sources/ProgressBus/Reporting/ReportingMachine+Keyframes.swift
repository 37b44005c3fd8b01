import BusProtocol
import TaskTree

/// Everything about the session, for a broker that has just welcomed it.
extension ReportingMachine {
    mutating func startKeyframe() {
        reports.keyframes += 1
        reports.keyframe = Keyframe(
            number: reports.keyframes,
            indices: tasks.values.map(\.index).sorted(),
            highest: lastIndex
        )
    }

    /// The next chunk of the keyframe, if one is under way.
    ///
    /// Nothing else is reported in between, because the last chunk replaces all that the broker
    /// knew of the session.
    mutating func nextKeyframeChunk(at now: Moment) -> WireReport? {
        guard var keyframe = reports.keyframe else { return nil }
        if let unsent = keyframe.unsent {
            reports.keyframe?.unsent = nil
            reports.inHand = unsent
            return unsent
        }
        var frame = ReportBuilder(
            room: ReportingFrame.bytes,
            session: identity.session,
            wallOffset: wallOffset
        )
        while frame.hasRoom {
            if keyframe.cursor == keyframe.indices.count {
                guard keyframe.highest < lastIndex else { break }
                // Tasks begun since belong to the keyframe as well.
                keyframe.indices = (keyframe.highest + 1...lastIndex).filter { tasks[$0] != nil }
                keyframe.cursor = 0
                keyframe.highest = lastIndex
                continue
            }
            let index = keyframe.indices[keyframe.cursor]
            guard frame.mayName(tasks[index]?.fold?.removed.count ?? 0) else { break }
            add(index, to: &frame, at: now)
            keyframe.cursor += 1
        }
        var report = frame.report()
        report.keyframe = keyframe.number
        report.keyframeChunk = keyframe.chunk
        report.keyframeLast =
            keyframe.cursor == keyframe.indices.count && keyframe.highest == lastIndex
        keyframe.chunk += 1
        reports.keyframe = keyframe
        return take(&report)
    }

    private mutating func add(_ index: UInt64, to frame: inout ReportBuilder, at now: Moment) {
        guard let record = tasks[index] else { return }
        record.take(record.reading, at: now)
        record.wasStated = true
        frame.add(record, .everything, at: now)
        if let fold = record.fold { frame.add(fold: fold, below: index) }
        record.news = []
        guard !record.isEnded else { return }
        // The mark may have been set while there was no list to put the task into.
        if !record.isListed {
            record.isListed = true
            reports.changed.append(index)
        }
    }

    mutating func keyframeChunkTaken(isLast: Bool, at now: Moment) {
        guard isLast else { return }
        reports.keyframe = nil
        reports.completed += 1
        reports.lastTick = now
        if !reports.changed.isEmpty || !reports.logs.isEmpty || !waiters.isEmpty {
            reports.tickDue = now.later(by: tick)
        }
    }
}
