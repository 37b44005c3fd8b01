/// Small numbers from 0 for the children of a parent or the tasks of a job: lowest free first.
///
/// A far claim costs no more than a near one, and nothing costs more the more are taken.
package struct PlaceBook: Sendable {
    /// Numbers from here on cannot be claimed; they can still be assigned one after another.
    package static let claimLimit = 1 << 30

    private var taken = NumberSet()
    /// Free ones below `next`.
    private var freed = NumberSet()
    /// All below it have been taken once; it is free itself.
    private var next = 0

    package init() {}

    /// Whether all are free.
    package var isEmpty: Bool { taken.isEmpty }

    /// The highest that is taken.
    package var highest: Int? { taken.max }

    /// What would be assigned.
    package var lowestFree: Int { freed.min ?? next }

    /// Takes the lowest free place.
    package mutating func assign() -> Int {
        let place = lowestFree
        take(place)
        return place
    }

    /// Takes this place, unless it is taken, negative or beyond `claimLimit`.
    package mutating func claim(_ place: Int) -> Bool {
        guard place >= 0, place < Self.claimLimit, !isTaken(place) else { return false }
        take(place)
        return true
    }

    /// Frees a place; nothing happens to one that is free.
    package mutating func release(_ place: Int) {
        guard taken.remove(place) else { return }
        if taken.isEmpty {
            self = PlaceBook()
        } else if place < next {
            freed.insert(place)
        }
    }

    /// Whether somebody has this place.
    package func isTaken(_ place: Int) -> Bool { taken.contains(place) }

    /// The next place after this one that is taken; backwards, the last one before it.
    package func next(to place: Int, backwards: Bool) -> Int? {
        taken.next(to: place, backwards: backwards)
    }

    private mutating func take(_ place: Int) {
        taken.insert(place)
        if place < next { freed.remove(place) }
        // Each number is passed once, until all are free again.
        while taken.contains(next) { next += 1 }
    }
}
