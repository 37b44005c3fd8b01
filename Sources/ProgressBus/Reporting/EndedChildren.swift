/// Ended children in the order in which they ended; failed ones are kept apart and folded last.
struct EndedChildren {
    private var calm = Queue()
    private var failed = Queue()

    var count: Int { calm.count + failed.count }

    mutating func append(_ index: UInt64, hasFailed: Bool) {
        if hasFailed { failed.append(index) } else { calm.append(index) }
    }

    mutating func removeOldest() -> (index: UInt64, hasFailed: Bool)? {
        if let index = calm.removeFirst() { return (index, false) }
        return failed.removeFirst().map { ($0, true) }
    }

    /// A queue that frees its used front when that is more than half of the array.
    private struct Queue {
        private var elements: [UInt64] = []
        private var head = 0

        var count: Int { elements.count - head }

        mutating func append(_ element: UInt64) {
            elements.append(element)
        }

        mutating func removeFirst() -> UInt64? {
            guard head < elements.count else { return nil }
            defer {
                head += 1
                if head * 2 > elements.count {
                    elements.removeFirst(head)
                    head = 0
                }
            }
            return elements[head]
        }
    }
}
