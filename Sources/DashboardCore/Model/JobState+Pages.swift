import ProgressBus
import TaskTree

/// The pages of a block that has more places than rows.
extension JobState {
    /// Shows the next places of the block of the cursor, after the last ones the first.
    mutating func turnPage(by direction: Int, store: TaskStore) {
        guard let line, let block = block(at: line.path) else { return }
        let next = Self.pages(of: block, in: store).next(after: block.first, by: direction)
        change(at: line.path) { $0.first = next ?? 1 }
        bound = self.line.flatMap { task(at: $0, in: store) }
    }

    /// The first place of each page.
    ///
    /// Behind the first places the broker shows what has ended and lost its place to another; the
    /// empty places between are left out.
    private static func pages(of block: Block, in store: TaskStore) -> [Int] {
        let row = store.rows[block.task]
        let seen = store.atPlace[block.task] ?? [:]
        let firstPlaces = ViewportPart.placesPerBlock
        let near = max(
            seen.keys.filter { $0 <= firstPlaces }.max() ?? 0,
            min(row?.options.expectedChildren ?? 0, firstPlaces)
        )
        var pages = [Int](stride(from: 1, through: max(near, 1), by: block.shown))
        // Each child that is not there is at least one of these.
        let below = seen.values.reduce(0) { $0 + 1 + (store.rows[$1]?.counts.sum ?? 0) }
        let hidden = max((row?.counts.sum ?? 0) - below, 0)
        let last = max(seen.keys.max() ?? 0, children(of: row), firstPlaces + hidden)
        let further = max((pages.last ?? 1) + block.shown, firstPlaces + 1)
        pages += stride(from: further, through: last, by: block.shown)
        return pages
    }
}
