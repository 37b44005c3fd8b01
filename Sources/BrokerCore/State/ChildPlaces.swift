import TaskTree

/// What a child uses its place for, which decides whether another child may take the place.
enum PlaceUse {
    /// The child is running, paused or being cancelled.
    case running
    /// The child has succeeded or was cancelled, and is among the last that ended so.
    case held
    /// The child waits, or has failed or was lost and nobody has dismissed it.
    case kept
    /// The child has ended and another one may take the place; until then it is shown there.
    case free
}

/// The places of one parent's children, and the ended children that still hold theirs.
struct ChildPlaces {
    /// Ended children may hold as many places as there are running ones, but at least this many.
    static let heldAtLeast = 16
    /// Places in the first block; a child whose place another child takes moves behind them.
    static let firstPlaces = ViewportPart.placesPerBlock

    private var book = PlaceBook()
    private(set) var taskAt: [Int: TaskID] = [:]
    /// A bit for each of the first places, set where a child is shown.
    private var near: UInt64 = 0
    /// The places behind the first ones where a child is shown.
    private var further = PlaceBook()
    /// How many children are running.
    private(set) var running = 0
    /// Ended children that hold their places, in the order in which they ended.
    private var held = AgeOrder<TaskID, UInt64>()
    private var lastEnd: UInt64 = 0

    // Places count from 1, the book from 0.

    mutating func assign() -> Int { book.assign() + 1 }
    mutating func claim(_ place: Int) -> Bool { book.claim(place - 1) }
    mutating func release(_ place: Int) { book.release(place - 1) }

    /// Shows a child at a place; returns the other child that was shown there before.
    mutating func show(_ id: TaskID, at place: Int) -> TaskID? {
        let former = taskAt.updateValue(id, forKey: place)
        if place > Self.firstPlaces {
            _ = further.claim(place - Self.firstPlaces - 1)
        } else {
            near |= 1 << (place - 1)
        }
        return former == id ? nil : former
    }

    /// Ends that a child is shown at a place.
    mutating func hide(at place: Int) {
        taskAt[place] = nil
        if place > Self.firstPlaces {
            further.release(place - Self.firstPlaces - 1)
        } else {
            near &= ~(1 << (place - 1))
        }
    }

    /// The nearest place after a given one, or before it if `backwards`, where a child is shown.
    func next(to place: Int, backwards: Bool) -> Int? {
        let near = near.bit(next: min(place - 1, Self.firstPlaces), backwards: backwards)
            .map { $0 + 1 }
        if !backwards, let near { return near }
        let far = further.next(to: max(place - Self.firstPlaces - 1, -1), backwards: backwards)
        return far.map { $0 + Self.firstPlaces + 1 } ?? near
    }

    /// The lowest place behind the first ones where no child is shown.
    func furtherPlace() -> Int { Self.firstPlaces + further.lowestFree + 1 }

    /// Takes note that a child uses its place for something else than before.
    mutating func change(_ id: TaskID, from former: PlaceUse, to use: PlaceUse) {
        guard use != former else { return }
        if former == .running { running -= 1 }
        if former == .held { held.remove(id) }
        if use == .running { running += 1 }
        if use == .held {
            lastEnd += 1
            held.put(id, age: lastEnd)
        }
    }

    /// Takes out the holder that ended longest ago, if ended children hold too many places; `nil`
    /// if they do not.
    mutating func takeTooMany() -> TaskID? {
        held.count > max(Self.heldAtLeast, running) ? held.takeOldest()?.element : nil
    }
}
