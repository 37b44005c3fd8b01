/// A small number for each of up to two billion task ids.
///
/// Sessions number their tasks one after another. So the numbers are kept in pages of 64 indices: a
/// task takes some five bytes, neighbours are close in memory, and a caller that goes through them
/// looks up each page once. A session that leaves gaps takes a page for each task.
package struct TaskTable: Sendable {
    /// Remembers the page of the last answer; an outdated cursor costs time, but gives no wrong
    /// answer.
    package struct Cursor: Sendable {
        fileprivate var page = noNumber

        package init() {}
    }

    private struct Key: Hashable {
        let session: SessionID
        let number: UInt64
    }

    private struct Page {
        var key: Key
        var count = 0
        /// The page of the same session that was made before, and after.
        var former = noNumber
        var later = noNumber
    }

    private static let bits: UInt64 = 6
    private static let pageSize = 1 << Int(bits)

    private var places: [Key: PoolNumber] = [:]
    /// The page of each session that was made last.
    private var latest: [SessionID: PoolNumber] = [:]
    private var pages = Pool<Page>()
    /// `pageSize` numbers for each page.
    private var numbers = BlockArray<PoolNumber>()
    /// How many ids have a number.
    package private(set) var count = 0

    package init() {}

    /// The number of a task; numbers are not negative.
    package subscript(id: TaskID) -> PoolNumber? {
        get {
            guard let page = places[Self.key(id)] else { return nil }
            return self[page, id]
        }
        set {
            if let newValue { set(newValue, for: id) } else { remove(id) }
        }
    }

    /// The number of a task that is probably a neighbour of the one asked for last.
    package func number(of id: TaskID, near cursor: inout Cursor) -> PoolNumber? {
        let key = Self.key(id)
        let page = cursor.page
        if page >= 0, page < pages.capacity, pages[page].key == key { return self[page, id] }
        guard let found = places[key] else { return nil }
        cursor.page = found
        return self[found, id]
    }

    /// All ids with their numbers, in no order.
    package var all: [(id: TaskID, number: PoolNumber)] {
        (0..<pages.capacity).flatMap { page in
            (0..<Self.pageSize).compactMap { place -> (id: TaskID, number: PoolNumber)? in
                let number = numbers[page << Int(Self.bits) | place]
                guard number != noNumber else { return nil }
                let key = pages[PoolNumber(page)].key
                let index = key.number << Self.bits | UInt64(place)
                return (TaskID(index: index, session: key.session), number)
            }
        }
    }

    /// The first `limit` ids in order that begin with a prefix; looks at each page.
    package func ids(beginningWith prefix: TaskIDPrefix, limit: Int) -> [TaskID] {
        var found: [TaskID] = []
        for page in 0..<PoolNumber(pages.capacity) {
            let entry = pages[page]
            guard entry.count > 0, prefix.sessions.contains(entry.key.session.rawValue) else {
                continue
            }
            let first = entry.key.number << Self.bits
            for range in prefix.indices
            where range.overlaps(first...first | UInt64(Self.pageSize - 1)) {
                let indices = range.clamped(to: first...first | UInt64(Self.pageSize - 1))
                for index in indices {
                    let id = TaskID(index: index, session: entry.key.session)
                    if self[page, id] != nil { found.append(id) }
                }
            }
            // Cut now and then, as very many ids may begin with the same letters.
            if found.count > 64 * limit { found = Array(found.sorted().prefix(limit)) }
        }
        return Array(found.sorted().prefix(limit))
    }

    /// Whether a task of the session has a number.
    package func hasAny(of session: SessionID) -> Bool { latest[session] != nil }

    /// The numbers of all tasks of a session, in no order; costs what the session has.
    package func forEach(of session: SessionID, _ body: (PoolNumber) -> Void) {
        var page = latest[session] ?? noNumber
        while page != noNumber {
            let start = Int(page) << Int(Self.bits)
            // The newest first, like the pages, so that a caller that sorts the numbers finds one
            // run.
            for place in (start..<start + Self.pageSize).reversed()
            where numbers[place] != noNumber {
                body(numbers[place])
            }
            page = pages[page].former
        }
    }

    private subscript(page: PoolNumber, id: TaskID) -> PoolNumber? {
        let number = numbers[Self.place(of: id, in: page)]
        return number == noNumber ? nil : number
    }

    private mutating func set(_ number: PoolNumber, for id: TaskID) {
        let page = places[Self.key(id)] ?? addPage(Self.key(id))
        let place = Self.place(of: id, in: page)
        if numbers[place] == noNumber {
            pages[page].count += 1
            count += 1
        }
        numbers[place] = number
    }

    private mutating func remove(_ id: TaskID) {
        let key = Self.key(id)
        guard let page = places[key] else { return }
        let place = Self.place(of: id, in: page)
        guard numbers[place] != noNumber else { return }
        numbers[place] = noNumber
        count -= 1
        pages[page].count -= 1
        guard pages[page].count == 0 else { return }
        places[key] = nil
        unchain(page)
        pages.remove(page, leaving: Page(key: Self.nobody))
    }

    private mutating func addPage(_ key: Key) -> PoolNumber {
        let page = pages.insert(Page(key: key))
        while numbers.count < pages.capacity << Int(Self.bits) { numbers.append(noNumber) }
        places[key] = page
        chain(page)
        return page
    }

    private mutating func chain(_ page: PoolNumber) {
        let session = pages[page].key.session
        if let former = latest[session] {
            pages[page].former = former
            pages[former].later = page
        }
        latest[session] = page
    }

    private mutating func unchain(_ page: PoolNumber) {
        let (session, former, later) = (
            pages[page].key.session, pages[page].former, pages[page].later
        )
        if former != noNumber { pages[former].later = later }
        if later != noNumber {
            pages[later].former = former
        } else {
            latest[session] = former == noNumber ? nil : former
        }
    }

    /// The key of a free page: no task has it, as the number of its page has 58 bits.
    private static let nobody = Key(session: SessionID(rawValue: 0), number: .max)

    private static func key(_ id: TaskID) -> Key {
        Key(session: id.session, number: id.index >> bits)
    }

    private static func place(of id: TaskID, in page: PoolNumber) -> Int {
        Int(page) << Int(bits) | Int(id.index & (1 << bits - 1))
    }
}
