/// Small numbers from 0 for the children of a parent or the tasks of a job: lowest free first.
///
/// Neither a high place nor many taken places make a call more expensive.
package struct PlaceBook: Sendable {
    /// Numbers from here on cannot be claimed; they can still be assigned one after another.
    package static let claimLimit = 1 << 30

    private var taken = NumberSet()
    /// The free places below `next`.
    private var freed = NumberSet()
    /// A free place below which every place has been taken at some time.
    private var next = 0

    package init() {}

    /// Whether all are free.
    package var isEmpty: Bool { taken.isEmpty }

    /// The highest that is taken.
    package var highest: Int? { taken.max }

    /// The place that `assign()` would take.
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
        // `next` only rises until all places are free again, so it passes each place once.
        while taken.contains(next) { next += 1 }
    }
}
