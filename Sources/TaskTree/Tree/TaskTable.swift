/// A small number for each of up to two billion task ids.
///
/// Sessions number their tasks one after another. So the numbers are kept in pages of 64 indices:
/// a task takes some five bytes, its neighbours are neighbours in memory, and who asks for one
/// after another finds their page once. A session that leaves gaps takes a page for each task.
package struct TaskTable: Sendable {
    /// Remembers the page of the last answer; makes no answer wrong, however old it is.
    package struct Cursor {
        fileprivate var page: Int32 = -1

        package init() {}
    }

    private struct Key: Hashable {
        let session: SessionID
        let number: UInt64
    }

    private struct Page {
        var key: Key
        var count: Int32 = 0
        /// The page of the same session that was made before, and after.
        var former = TaskTable.none
        var later = TaskTable.none
        /// How many pages were made before this one.
        var order: UInt64 = 0
    }

    /// The pages of a session that were made first and last.
    private struct Ends {
        var first: Int32
        var last: Int32
    }

    /// Somebody who goes through the tasks of a session, a page at a time.
    private struct Walk {
        var page: Int32
        /// Pages that were made after this one are none of those to be looked at.
        let last: UInt64
        let isBackwards: Bool
    }

    private static let none: Int32 = -1
    private static let bits: UInt64 = 6
    private static let pageSize = 1 << Int(bits)

    private var places: [Key: Int32] = [:]
    private var ends: [SessionID: Ends] = [:]
    private var walks: [Int: Walk] = [:]
    /// Who is at a page.
    private var walkers: [Int32: Set<Int>] = [:]
    private var lastWalk = 0
    private var pagesMade: UInt64 = 0
    private var pages = Pool<Page>()
    /// `pageSize` numbers for each page.
    private var numbers = BlockArray<Int32>()
    /// How many ids have a number.
    package private(set) var count = 0

    package init() {}

    /// The number of a task; numbers are not negative.
    package subscript(id: TaskID) -> Int32? {
        get {
            guard let page = places[Self.key(id)] else { return nil }
            return self[page, id]
        }
        set {
            if let newValue { set(newValue, for: id) } else { remove(id) }
        }
    }

    /// The number of a task that is probably a neighbour of the one asked for last.
    package func number(of id: TaskID, near cursor: inout Cursor) -> Int32? {
        let key = Self.key(id)
        let page = cursor.page
        if page >= 0, page < pages.capacity, pages[page].key == key { return self[page, id] }
        guard let found = places[key] else { return nil }
        cursor.page = found
        return self[found, id]
    }

    /// All ids with their numbers, in no order.
    package var all: [(id: TaskID, number: Int32)] {
        (0..<pages.capacity).flatMap { page in
            (0..<Self.pageSize).compactMap { place -> (id: TaskID, number: Int32)? in
                let number = numbers[page << Int(Self.bits) | place]
                guard number != Self.none else { return nil }
                let key = pages[Int32(page)].key
                let index = key.number << Self.bits | UInt64(place)
                return (TaskID(index: index, session: key.session), number)
            }
        }
    }

    /// The first ids in order that begin like this, not more than `limit`; costs a look at each page.
    package func ids(beginningWith prefix: TaskIDPrefix, limit: Int) -> [TaskID] {
        var found: [TaskID] = []
        for page in 0..<Int32(pages.capacity) {
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
            // In batches: very many may begin with the same letters.
            if found.count > 64 * limit { found = Array(found.sorted().prefix(limit)) }
        }
        return Array(found.sorted().prefix(limit))
    }

    /// Whether a task of the session has a number.
    package func hasAny(of session: SessionID) -> Bool { ends[session] != nil }

    /// How many go through the tasks of a session.
    package var walkCount: Int { walks.count }

    /// Begins to go through all tasks that a session has now, about in the order in which they were added,
    /// or the other way round; returns a number for it.
    package mutating func beginWalk(of session: SessionID, isBackwards: Bool) -> Int {
        lastWalk += 1
        guard let ends = ends[session] else { return lastWalk }
        let page = isBackwards ? ends.last : ends.first
        let last = pages[ends.last].order
        walks[lastWalk] = Walk(page: page, last: last, isBackwards: isBackwards)
        walkers[page, default: []].insert(lastWalk)
        return lastWalk
    }

    /// The numbers of the next tasks of a walk; `nil` if there are no more.
    package mutating func next(of walk: Int) -> [Int32]? {
        guard let page = walks[walk]?.page else { return nil }
        let start = Int(page) << Int(Self.bits)
        let found = (start..<start + Self.pageSize).compactMap { place in
            numbers[place] == Self.none ? nil : numbers[place]
        }
        moveOn(walk, from: page)
        return found
    }

    /// Ends a walk; nothing happens if it is over.
    package mutating func endWalk(_ walk: Int) {
        guard let page = walks.removeValue(forKey: walk)?.page else { return }
        walkers[page]?.remove(walk)
        if walkers[page]?.isEmpty == true { walkers[page] = nil }
    }

    private mutating func moveOn(_ number: Int, from page: Int32) {
        guard let walk = walks[number] else { return }
        endWalk(number)
        let next = walk.isBackwards ? pages[page].former : pages[page].later
        guard next != Self.none, pages[next].order <= walk.last else { return }
        walks[number] = Walk(page: next, last: walk.last, isBackwards: walk.isBackwards)
        walkers[next, default: []].insert(number)
    }

    /// The numbers of all tasks of a session, in no order; costs what the session has.
    package func forEach(of session: SessionID, _ body: (Int32) -> Void) {
        var page = ends[session]?.last ?? Self.none
        while page != Self.none {
            let start = Int(page) << Int(Self.bits)
            // The newest first, as the pages are: whoever sorts them finds one run.
            for place in (start..<start + Self.pageSize).reversed()
            where numbers[place] != Self.none {
                body(numbers[place])
            }
            page = pages[page].former
        }
    }

    private subscript(page: Int32, id: TaskID) -> Int32? {
        let number = numbers[Self.place(of: id, in: page)]
        return number == Self.none ? nil : number
    }

    private mutating func set(_ number: Int32, for id: TaskID) {
        let page = places[Self.key(id)] ?? addPage(Self.key(id))
        let place = Self.place(of: id, in: page)
        if numbers[place] == Self.none {
            pages[page].count += 1
            count += 1
        }
        numbers[place] = number
    }

    private mutating func remove(_ id: TaskID) {
        let key = Self.key(id)
        guard let page = places[key] else { return }
        let place = Self.place(of: id, in: page)
        guard numbers[place] != Self.none else { return }
        numbers[place] = Self.none
        count -= 1
        pages[page].count -= 1
        guard pages[page].count == 0 else { return }
        places[key] = nil
        unchain(page)
        pages.remove(page, leaving: Page(key: Self.nobody))
    }

    private mutating func addPage(_ key: Key) -> Int32 {
        let page = pages.insert(Page(key: key))
        while numbers.count < pages.capacity << Int(Self.bits) { numbers.append(Self.none) }
        places[key] = page
        chain(page)
        return page
    }

    private mutating func chain(_ page: Int32) {
        let session = pages[page].key.session
        pagesMade += 1
        pages[page].order = pagesMade
        guard let former = ends[session]?.last else {
            ends[session] = Ends(first: page, last: page)
            return
        }
        pages[page].former = former
        pages[former].later = page
        ends[session]?.last = page
    }

    private mutating func unchain(_ page: Int32) {
        for walk in walkers[page] ?? [] { moveOn(walk, from: page) }
        let (session, former, later) = (
            pages[page].key.session, pages[page].former, pages[page].later
        )
        if former != Self.none { pages[former].later = later }
        if later != Self.none { pages[later].former = former }
        switch (former, later) {
        case (Self.none, Self.none): ends[session] = nil
        case (Self.none, _): ends[session]?.first = later
        case (_, Self.none): ends[session]?.last = former
        default: break
        }
    }

    /// No task's: indices have 58 bits left in a page's number.
    private static let nobody = Key(session: SessionID(rawValue: 0), number: .max)

    private static func key(_ id: TaskID) -> Key {
        Key(session: id.session, number: id.index >> bits)
    }

    private static func place(of id: TaskID, in page: Int32) -> Int {
        Int(page) << Int(bits) | Int(id.index & (1 << bits - 1))
    }
}
