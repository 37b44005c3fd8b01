import TaskTree

/// Why a child has its place.
enum PlaceUse {
    /// It is at work.
    case running
    /// It is one of those that have succeeded or were cancelled last.
    case held
    /// It waits, or has ended in a way that somebody should look at.
    case kept
    /// Another child may take the place; until one does, this one is shown there.
    case free
}

/// Which child is shown at which place of one parent, and how many places ended ones hold.
struct ChildPlaces {
    /// Ended children may hold as many places as there are running ones, but at least this many.
    static let heldAtLeast = 16
    /// A child whose place another has taken is shown behind these: in another block.
    static let firstPlaces = ViewportPart.placesPerBlock

    private var book = PlaceBook()
    private(set) var taskAt: [Int: TaskID] = [:]
    /// Of the first places those where a child is shown, a bit each.
    private var near: UInt64 = 0
    /// Of the places behind the first ones those where a child is shown.
    private var further = PlaceBook()
    /// Running children.
    private(set) var running = 0
    /// Ended children that hold their place, in the order of their ends.
    private var held = AgeOrder<TaskID, UInt64>()
    private var lastEnd: UInt64 = 0

    // Places count from 1, the book from 0.

    mutating func assign() -> Int { book.assign() + 1 }
    mutating func claim(_ place: Int) -> Bool { book.claim(place - 1) }
    mutating func release(_ place: Int) { book.release(place - 1) }

    /// Shows a child at a place; returns who was shown there.
    mutating func show(_ id: TaskID, at place: Int) -> TaskID? {
        let former = taskAt.updateValue(id, forKey: place)
        if place > Self.firstPlaces {
            _ = further.claim(place - Self.firstPlaces - 1)
        } else {
            near |= 1 << (place - 1)
        }
        return former == id ? nil : former
    }

    /// No task is shown there any more.
    mutating func hide(at place: Int) {
        taskAt[place] = nil
        if place > Self.firstPlaces {
            further.release(place - Self.firstPlaces - 1)
        } else {
            near &= ~(1 << (place - 1))
        }
    }

    /// The nearest place behind one where a child is shown, or, backwards, before it.
    func next(to place: Int, backwards: Bool) -> Int? {
        let near = near.bit(next: min(place - 1, Self.firstPlaces), backwards: backwards)
            .map { $0 + 1 }
        if !backwards, let near { return near }
        let far = further.next(to: max(place - Self.firstPlaces - 1, -1), backwards: backwards)
        return far.map { $0 + Self.firstPlaces + 1 } ?? near
    }

    /// The lowest place behind the first ones where nobody is shown.
    func furtherPlace() -> Int { Self.firstPlaces + further.lowestFree + 1 }

    /// A child uses its place for something else than before.
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

    /// If ended children hold more places than they may: the one that ended longest ago, which
    /// then holds none.
    mutating func takeTooMany() -> TaskID? {
        held.count > max(Self.heldAtLeast, running) ? held.takeOldest()?.element : nil
    }
}
