/// First in, first out; what has left it is held for as long as more than half is still in it.
struct Queue<Element> {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }
    /// How many places it takes, those of elements that have left included.
    var room: Int { elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        head += 1
        if head == elements.count {
            // The room of a flood is given back.
            elements.removeAll(keepingCapacity: head <= 1_024)
            head = 0
        } else if head > 64, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }
}

extension Queue: Sequence {
    func makeIterator() -> ArraySlice<Element>.Iterator {
        elements[head...].makeIterator()
    }
}
