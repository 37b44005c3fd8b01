extension ProgressTask {
    /// Advances the task by one for every element that was worked on.
    ///
    /// Use it as `for page in task.tracking(pages)`.
    ///
    /// An element counts when the next one is asked for, so that a loop left early does not count
    /// the element at hand. A collection's count becomes the total if the task has none. Does not
    /// end the task.
    ///
    /// - Parameter sequence: What is worked on.
    /// - Returns: The same elements in the same order.
    public func tracking<Base: Sequence>(_ sequence: Base) -> TrackedSequence<Base> {
        TrackedSequence(base: sequence, task: self, total: nil)
    }

    /// Advances the task by one for every element that was worked on, out of a known number.
    ///
    /// - Parameter collection: What is worked on; its count becomes the total if the task has none.
    /// - Returns: The same elements in the same order.
    public func tracking<Base: Collection>(_ collection: Base) -> TrackedSequence<Base> {
        TrackedSequence(base: collection, task: self, total: collection.count)
    }

    /// Advances the task by one for every element that was worked on.
    ///
    /// - Parameter sequence: What is worked on; its errors come through.
    /// - Returns: The same elements in the same order.
    public func tracking<Base: AsyncSequence>(_ sequence: Base) -> TrackedAsyncSequence<Base> {
        TrackedAsyncSequence(base: sequence, task: self)
    }
}

/// A sequence whose elements advance a task as they are worked on.
public struct TrackedSequence<Base: Sequence>: Sequence {
    let base: Base
    let task: ProgressTask
    let total: Int?

    /// Begins at the first element.
    public func makeIterator() -> Iterator {
        if let total, task.total == nil { task.setTotal(total) }
        return Iterator(base: base.makeIterator(), task: task)
    }

    /// As many as the base says.
    public var underestimatedCount: Int { base.underestimatedCount }

    /// Gives the elements one by one.
    public struct Iterator: IteratorProtocol {
        var base: Base.Iterator
        let task: ProgressTask
        var hasElement = false

        /// Counts the previous element and returns the next one.
        public mutating func next() -> Base.Element? {
            if hasElement { task.advance() }
            let element = base.next()
            hasElement = element != nil
            return element
        }
    }
}

extension TrackedSequence: Sendable where Base: Sendable {}

/// An asynchronous sequence whose elements advance a task as they are worked on.
public struct TrackedAsyncSequence<Base: AsyncSequence>: AsyncSequence {
    let base: Base
    let task: ProgressTask

    /// Begins at the first element.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), task: task)
    }

    /// Gives the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let task: ProgressTask
        var hasElement = false

        /// Counts the previous element, and waits for the next one.
        public mutating func next() async throws -> Base.Element? {
            try await next(isolation: nil)
        }

        /// Counts the previous element, and waits for the next one, on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Base.Element? {
            if hasElement { task.advance() }
            hasElement = false
            let element = try await base.next(isolation: actor)
            hasElement = element != nil
            return element
        }
    }
}

extension TrackedAsyncSequence: Sendable where Base: Sendable {}
