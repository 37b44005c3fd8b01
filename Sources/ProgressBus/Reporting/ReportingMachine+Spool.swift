import BusProtocol
import TaskTree

/// The endings that no broker has acknowledged when a session is over, for the spool.
extension ReportingMachine {
    /// The last words to write into the spool; nil while the session goes on, if there are none, or
    /// if they were given out before.
    ///
    /// They are written even if no broker ever welcomed the session: one may be started later.
    mutating func takeLastWords(at now: Moment) -> LastWords? {
        guard hasLeft, !hasSaidLastWords else { return nil }
        hasSaidLastWords = true
        guard !endings.isAllAcknowledged else { return nil }
        let (rows, omitted) = rowsToSpool()
        var frames = [frame(.hello(hello()))]
        for index in rows {
            guard let redemption = redemptions[index], frames.count < SpoolLimits.frames / 2 else {
                continue
            }
            frames.append(frame(.redeem(redemption.wire(index))))
        }
        frames += endingsToSpool(rows, at: now)
        // This goodbye names no report, so that the broker waits for none.
        frames.append(frame(.goodbye(WireGoodbye())))
        return LastWords(
            frames: frames,
            omitted: omitted,
            hadBroker: link.hasEverBeenWelcomed
        )
    }

    /// The tasks whose rows are written, and how many endings are left out.
    ///
    /// A new broker may know nothing of tasks that began while there was none: so the tasks above
    /// an ending are written too, and tickets, whose redeemers may come later. If there are too
    /// many rows, jobs and failures are chosen first, tickets next.
    private func rowsToSpool() -> (rows: [UInt64], omitted: Int) {
        var chosen: Set<UInt64> = []
        var bytes = 0
        var omitted = 0
        func choose(_ index: UInt64) {
            guard let record = tasks[index], chosen.insert(index).inserted else { return }
            bytes += record.estimatedBytes + 40
            if let fold = record.fold { bytes += fold.estimatedBytes }
            if record.parent != 0 { choose(record.parent) }
        }
        func isFirst(_ index: UInt64) -> Bool {
            tasks[index].map { $0.isTopmost || $0.state.hasFailed } ?? false
        }
        let unsaid = endings.unacknowledged.union(endings.unacknowledgedFolds)
        let tickets = tasks.values.filter(\.isTicket).map(\.index)
        let ordered =
            unsaid.filter(isFirst).sorted() + tickets.sorted()
            + unsaid.filter { !isFirst($0) }.sorted()
        for index in ordered {
            // A row brings the tasks above it along, at most 64: these limits leave room for them.
            guard bytes < Self.spooledBytes, chosen.count < Self.spooledRows else {
                if unsaid.contains(index), !chosen.contains(index) { omitted += 1 }
                continue
            }
            choose(index)
        }
        return (chosen.sorted(), omitted)
    }

    private static let spooledBytes = SpoolLimits.fileBytes / 2
    private static let spooledRows = SpoolLimits.statements / 4

    /// The frames of endings for these rows, by rising index, so that parents come before children.
    private mutating func endingsToSpool(_ rows: [UInt64], at now: Moment) -> [WireClientFrame] {
        var frames: [WireClientFrame] = []
        var contents = WireEndings()
        var room = ReportingFrame.bytes
        var names = ProtocolLimits.removedIndices
        func close() {
            guard !contents.endings.isEmpty else { return }
            contents.sequence = nextSequence()
            frames.append(frame(.endings(contents)))
            contents = WireEndings()
            room = ReportingFrame.bytes
            names = ProtocolLimits.removedIndices
        }
        for index in rows {
            guard let record = tasks[index] else { continue }
            if !record.isEnded { record.take(record.reading, at: now) }
            // Acknowledged folds too: a broker that was killed may know this task by its fold
            // alone, and forgets that fold with the session.
            let fold = record.fold
            if room <= 0 || fold?.removed.count ?? 0 > names { close() }
            contents.endings.append(wireEnding(of: record, at: now))
            room -= record.estimatedBytes + 40
            guard let fold else { continue }
            contents.folds.append(fold.wire(below: index, of: identity.session))
            names -= fold.removed.count
            room -= fold.estimatedBytes
        }
        close()
        return frames
    }
}
