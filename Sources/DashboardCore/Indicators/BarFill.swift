/// How much of something is filled, in whole steps.
enum BarFill {
    /// All steps only if it is complete, and at least one once anything is done.
    static func steps(_ fraction: Double, of all: Int, isComplete: Bool) -> Int {
        guard !isComplete else { return all }
        // What is no number is nothing.
        guard all > 1, fraction > 0 else { return 0 }
        // A step that binary numbers cannot hold is not to be lost by rounding down.
        let filled = Int((min(fraction, 1) * Double(all) + 1e-9).rounded(.down))
        return min(max(filled, 1), all - 1)
    }

    /// Where the pulse of an unknown amount begins: to and fro between the ends.
    static func pulseStart(phase: Int, width: Int, length: Int) -> Int {
        let way = max(width - length, 0)
        let place = phase.modulo(way * 2)
        return place <= way ? place : way * 2 - place
    }
}
