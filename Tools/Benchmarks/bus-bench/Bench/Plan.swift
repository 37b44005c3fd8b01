/// How long to measure.
struct Plan {
    /// Only whether it works: the numbers mean nothing.
    let isQuick: Bool

    /// How often each figure is taken.
    var rounds: Int { isQuick ? 2 : 5 }

    func count(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }
}
