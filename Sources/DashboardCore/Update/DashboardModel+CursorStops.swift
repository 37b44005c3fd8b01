import ProgressBus
import TaskTree

/// Where the cursor can stand: on what there is to see, and on what is not known yet.
extension DashboardModel {
    /// The place to stand on that is nearest to a wanted one: from there on in the direction of the
    /// movement, else on the way back.
    static func nearestStop(
        to wanted: Int,
        by direction: Int,
        in range: ClosedRange<Int>,
        _ isStop: (Int) -> Bool
    ) -> Int? {
        let wanted = min(max(wanted, range.lowerBound), range.upperBound)
        let after = wanted...range.upperBound
        let before = range.lowerBound...wanted
        return direction > 0
            ? after.first(where: isStop) ?? before.last(where: isStop)
            : before.last(where: isStop) ?? after.first(where: isStop)
    }

    /// A slot with a job, or of a page that has not come yet.
    func isStop(slot: Int) -> Bool {
        guard let job = store.inSlot[slot] else {
            return store.members[Self.page(of: slot)] == nil
        }
        return shows(job)
    }

    /// The lines of the tree with something in them.
    func stops(in job: JobState) -> [Int] {
        let lines = job.lines
        return lines.indices.filter { isStop(lines[$0], in: job) }
    }

    /// Goes back from a line that said how many have no row, once all of them have one.
    mutating func leaveBlankLine() {
        guard var job, let line = job.line, line.content == .rest, !isStop(line, in: job) else {
            return
        }
        let stops = Set(stops(in: job))
        let lines = 0...job.lines.count - 1
        let stop = Self.nearestStop(to: job.cursor, by: -1, in: lines, stops.contains)
        job.moveCursor(to: stop ?? 0, store: store, bodyHeight: layout.body.height)
        self.job = job
    }

    private func isStop(_ line: JobState.Line, in job: JobState) -> Bool {
        switch line.content {
        case .job: return true
        case .rest: return job.rest(of: line, in: store).sum > 0
        case .place(let place):
            if line.isUnfolded { return true }
            guard let task = job.task(at: line, in: store) else {
                let block = (place - 1) / ViewportPart.placesPerBlock
                return store.members[.children(of: line.parent, block: block)] == nil
            }
            return shows(task, at: line)
        }
    }

    /// A cell of the mosaic with a task in it, or of a block that has not arrived yet.
    func isStop(cell: Int, in mosaic: MosaicState) -> Bool {
        let block = (cell - 1) / ViewportPart.cellsPerBlock
        guard store.states[.states(of: mosaic.job, block: block)] != nil else { return true }
        return MosaicCell(store.byte(ofCell: cell, in: mosaic.job)).map(matches) ?? false
    }
}
