import ProgressBus
import TaskTree

/// The tree of one job as the person has opened it: which parents are unfolded, how many rows each
/// has, and where the cursor is.
///
/// Rows belong to places, not to tasks: a task that comes or goes never moves a row.
struct JobState: Sendable {
    /// The rows reserved for the children of one task.
    struct Block: Sendable {
        /// The parent of these children.
        var task: TaskID
        /// The first place shown.
        var first = 1
        /// How many places are shown.
        var shown: Int
        /// Whether `shown` has been fitted to the children; false until they have come.
        var isSettled = false
        /// Blocks below rows, by place.
        var unfolded: [Int: Block] = [:]

        /// The rows of the block: its places, one line for the rest, and the unfolded blocks
        /// between.
        var height: Int {
            shown + 1
                + unfolded.filter { places.contains($0.key) }.reduce(0) { $0 + $1.value.height }
        }

        var places: Range<Int> { first..<first + shown }
    }

    /// One row of the view.
    struct Line: Equatable, Sendable {
        enum Content: Equatable, Sendable {
            /// The job itself.
            case job
            case place(Int)
            /// The tasks that the block has no row for.
            case rest
        }

        var content: Content
        /// The places from the job down to the parent of this row.
        var path: [Int]
        /// The task whose block this row is in; the job itself for the row of the job.
        var parent: TaskID
        /// Whether a block follows.
        var isUnfolded = false

        var depth: Int { content == .job ? 0 : path.count + 1 }
    }

    static let leastRows = 8
    /// From this many blocks on `unfoldAll` unfolds no more, and `reveal` folds the others first;
    /// the dashboard follows the children of each block separately.
    static let mostUnfolded = 256

    let job: TaskID
    /// The job as it was last seen; it may leave the board while somebody looks at it.
    var last: TaskSnapshot?
    /// The slot of the job, to follow its row on the board.
    var slot: Int?
    var root: Block
    /// Whether the dashboard unfolds what fits when the children come: only the first time that the
    /// person opens the job.
    let unfoldsWhatFits: Bool
    /// The line at the top of the body.
    var scroll = 0
    /// The line the cursor is on.
    var cursor = 0
    /// The task that the person put the cursor on; actions never go to its successor in the row.
    var bound: TaskID?
    /// The text of the filter; empty to show all tasks.
    var filter = "" { didSet { (hits, asked) = (nil, nil) } }
    /// What the broker has found for the filter, or of trouble without one, in folded blocks too;
    /// `nil` until it has answered.
    var hits: SearchHits?
    /// The search that the broker has not answered yet.
    var asked: PendingHits?

    /// Opens a job, unfolded as the person left it; its children get the rest of the body.
    init(job: TaskID, slot: Int?, bodyHeight: Int, unfolded former: Block? = nil) {
        self.job = job
        self.slot = slot
        root = Block(task: job, shown: Self.rootRows(bodyHeight: bodyHeight))
        root.unfolded = former?.unfolded ?? [:]
        unfoldsWhatFits = former == nil
        bound = job
    }

    static func rootRows(bodyHeight: Int) -> Int { max(bodyHeight - 2, 1) }

    var lines: [Line] {
        var lines = [Line(content: .job, path: [], parent: job, isUnfolded: true)]
        Self.append(root, path: [], to: &lines)
        return lines
    }

    private static func append(_ block: Block, path: [Int], to lines: inout [Line]) {
        for place in block.places {
            let below = block.unfolded[place]
            lines.append(
                Line(
                    content: .place(place),
                    path: path,
                    parent: block.task,
                    isUnfolded: below != nil
                )
            )
            if let below { append(below, path: path + [place], to: &lines) }
        }
        lines.append(Line(content: .rest, path: path, parent: block.task))
    }

    /// The block at the end of a path of places.
    func block(at path: [Int]) -> Block? {
        var block: Block? = root
        for place in path { block = block?.unfolded[place] }
        return block
    }

    /// The unfolded block below a line; `nil` if the line is folded.
    func block(below line: Line) -> Block? {
        guard case .place(let place) = line.content else { return nil }
        return block(at: line.path)?.unfolded[place]
    }

    mutating func change(at path: [Int], _ change: (inout Block) -> Void) {
        func descend(_ block: inout Block, _ rest: ArraySlice<Int>) {
            guard let place = rest.first else { return change(&block) }
            guard var below = block.unfolded[place] else { return }
            descend(&below, rest.dropFirst())
            block.unfolded[place] = below
        }
        descend(&root, path[...])
    }

    /// All blocks, the root's first.
    var blocks: [Block] {
        var all: [Block] = []
        func collect(_ block: Block) {
            all.append(block)
            for place in block.unfolded.keys.sorted() where block.places.contains(place) {
                if let below = block.unfolded[place] { collect(below) }
            }
        }
        collect(root)
        return all
    }
}

/// A search in the job that waits for the answer of the broker.
struct PendingHits: Sendable {
    var request: Int
    /// The direction in which the cursor then moves to a hit; `nil` to leave it where it is.
    var direction: Int?
    /// Where the cursor was when the search began.
    var place: CursorPlace
    /// Whether the dashboard turns to the page of the first hit and leaves the cursor on the job.
    var showsFirstPage = false
}

/// A place of the cursor in a view.
struct CursorPlace: Equatable, Sendable {
    var view: DashboardModel.View
    /// The job whose tree or mosaic is open.
    var job: TaskID?
    var place: Int
}
