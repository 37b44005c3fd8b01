/// What a task says about itself beyond title, amounts and share.
public struct TaskOptions: Sendable, Hashable {
    /// How the task asks to be drawn; fixed once it has begun.
    public var style: TaskStyle
    /// Work that happens beside the rest: it counts nothing for its parent unless given a share.
    public var isBackground: Bool
    /// The name of a colour that viewers may use, at most 20 bytes; empty leaves it to them.
    public var tint: String
    /// Whether the task can be cancelled: it calls `checkpoint()` or looks at `isCancelled`.
    ///
    /// Registering a handler with `onCancel` says the same.
    public var isCancellable: Bool
    /// Whether the task can be paused: it calls `checkpoint()`.
    ///
    /// Registering a handler with `onPause` says the same.
    public var isPausable: Bool
    /// What cancelling loses, which viewers show when they ask whether to cancel; at most 500
    /// bytes, empty if nothing.
    public var consequence: String
    /// The machine where the work is done, at most 255 bytes; empty if it is the parent's machine
    /// or, for a job, the reporting process's.
    ///
    /// It is for work that one process reports and another machine does, such as a command over
    /// ssh.
    public var host: String
    /// How long the task usually goes without an advance; viewers call it stalled after that.
    ///
    /// `nil` leaves it to the broker, which learns it from the task.
    public var expectedGap: Duration?
    /// How many children there will be in all, for a task without a total.
    public var expectedChildren: Int?
    /// Whether the total is only a guess.
    public var totalIsEstimate: Bool

    /// Collects the options of a task.
    ///
    /// - Parameters:
    ///   - style: How it asks to be drawn.
    ///   - isBackground: Whether it counts nothing for its parent.
    ///   - tint: The name of a colour.
    ///   - isCancellable: Whether it can be cancelled.
    ///   - isPausable: Whether it can be paused.
    ///   - consequence: What is lost by cancelling.
    ///   - host: The machine where the work is done, if it is not done here.
    ///   - expectedGap: How long it usually goes without an advance.
    ///   - expectedChildren: How many children there will be.
    ///   - totalIsEstimate: Whether its total is only a guess.
    public init(
        style: TaskStyle = .bar,
        isBackground: Bool = false,
        tint: String = "",
        isCancellable: Bool = false,
        isPausable: Bool = false,
        consequence: String = "",
        host: String = "",
        expectedGap: Duration? = nil,
        expectedChildren: Int? = nil,
        totalIsEstimate: Bool = false
    ) {
        self.style = style
        self.isBackground = isBackground
        self.tint = tint
        self.isCancellable = isCancellable
        self.isPausable = isPausable
        self.consequence = consequence
        self.host = host
        self.expectedGap = expectedGap
        self.expectedChildren = expectedChildren
        self.totalIsEstimate = totalIsEstimate
    }

    /// The bytes of its texts.
    package var textBytes: Int { tint.utf8.count + consequence.utf8.count + host.utf8.count }
}
