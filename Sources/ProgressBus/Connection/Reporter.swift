import BusProtocol
import Logging
import Synchronization
import TaskTree
import ZeroMQ

/// What the handles of a client share: the machine behind its lock, and the thread that serves it.
///
/// Every call does the same: lock, one event of the machine, unlock, then act. Safe to use from any
/// thread. In a forked child everything is dropped, silently.
final class Reporter: Sendable {
    enum Thread {
        case notStarted, running, gone
    }

    struct State {
        var machine: ReportingMachine
        var thread = Thread.notStarted
        /// When a thread that could not be started may be tried again.
        var startDue = Moment(nanoseconds: 0)
        /// Wakes the thread; nil until the thread has a descriptor for it, meanwhile it polls.
        var wakeUp: (@Sendable () -> Void)?
        var holders: [UInt64: [UInt64: CheckedContinuation<Void, Never>]] = [:]
        /// The callbacks by which `finish` tells the waiters how it went.
        var waiters: [UInt64: @Sendable (Bool) -> Void] = [:]
        var lastID: UInt64 = 0
        /// Calls of handlers, made on a thread of their own that lives as long as there are some.
        var calls: [@Sendable () -> Void] = []
        var isCalling = false
        /// The sentences that `warnOnce` has said.
        var saidTexts: Set<String> = []

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    /// Nanoseconds between two attempts to start the thread.
    private static let startPause: Int64 = 250_000_000
    /// Texts remembered so that they are said once.
    private static let rememberedTexts = 1_000

    let session: SessionID
    /// Nil if the endpoint could not be understood, or the broker is in this process: no socket is
    /// opened.
    let endpoint: BusEndpoint?
    let state: Mutex<State>
    let clocks: SessionClocks
    let warnsOfMistakes: Bool
    private let generation: UInt32
    /// The process is about to end.
    let isExiting = Atomic<Bool>(false)
    /// Whether the thread need not be started any more.
    private let hasStarted = Atomic<Bool>(false)
    let logger = Logger(label: "progressbus")

    init(
        identity: ReportingMachine.Identity,
        endpoint: BusEndpoint?,
        tickNanoseconds: Int64,
        warnsOfMistakes: Bool,
        clocks: SessionClocks = .system
    ) {
        self.warnsOfMistakes = warnsOfMistakes
        self.clocks = clocks
        session = identity.session
        self.endpoint = endpoint
        state = Mutex(
            State(machine: ReportingMachine(identity: identity, tickNanoseconds: tickNanoseconds))
        )
        generation = ForkGuard.generation
    }

    /// Whether this is the process in which the client was made.
    var isAtHome: Bool { ForkGuard.generation == generation }
    var isConnected: Bool {
        isAtHome && state.withLock { $0.thread == .running && $0.machine.link.isWelcomed }
    }

    /// Applies one event to the machine; wakes the thread if it sleeps past something due.
    ///
    /// Inlined, as a call of the event costs a child a sixth of its instructions (`check-costs`).
    @inline(__always)
    @discardableResult
    func update<Value: Sendable>(
        _ event: (inout ReportingMachine, Moment) -> Value
    ) -> Value {
        let now = clocks.present()
        let (value, wakeUp) = state.withLock { state in
            let value = event(&state.machine, now)
            return (value, state.machine.takeWake(at: now) ? state.wakeUp : nil)
        }
        wakeUp?()
        startThreadIfNeeded()
        return value
    }

    /// Like `update`, for callers outside; does nothing in a forked child.
    func tell(_ event: (inout ReportingMachine, Moment) -> Void) {
        guard isAtHome else { return }
        update(event)
    }

    /// Like `tell`, for events that only change the next report.
    ///
    /// Only if the event made that report due does it ask whether to wake the thread: the question
    /// costs as much as all the rest.
    func report(_ event: (inout ReportingMachine, Moment) -> Void) {
        guard isAtHome else { return }
        let wakeUp = state.withLock { state -> (@Sendable () -> Void)? in
            let now = clocks.present()
            let due = state.machine.reports.tickDue
            event(&state.machine, now)
            guard state.machine.reports.tickDue != due, state.machine.takeWake(at: now)
            else { return nil }
            return state.wakeUp
        }
        wakeUp?()
        startThreadIfNeeded()
    }

    /// Looks at the machine without changing it; nil in a forked child.
    func peek<Value: Sendable>(_ look: (ReportingMachine) -> Value?) -> Value? {
        guard isAtHome else { return nil }
        return state.withLock { look($0.machine) }
    }

    /// Begins a task.
    func begin(_ record: ReportedTask, below parent: UInt64) {
        guard isAtHome else {
            record.begin(1, at: Moment(nanoseconds: 0))
            record.retire()
            return
        }
        update { machine, now in
            machine.lookAtWallClock(of: clocks, at: now)
            _ = machine.begin(record, below: parent, at: now)
        }
    }

    func end(_ index: UInt64, _ state: StatedState, isWithdrawn: Bool = false) {
        guard isAtHome else { return }
        let effects = update { machine, now in
            machine.lookAtWallClock(of: clocks, at: now)
            return machine.end(index, state, isWithdrawn: isWithdrawn, at: now)
        }
        carryOut(effects)
    }

    func log(_ text: String, of index: UInt64) {
        report { machine, now in
            machine.lookAtWallClock(of: clocks, at: now)
            machine.log(text, of: index, at: now)
        }
    }

    // MARK: - The thread

    /// Starts the thread with the first task; called with every event, so that a later one tries
    /// again after a failure.
    func startThreadIfNeeded() {
        guard !hasStarted.load(ordering: .relaxed) else { return }
        guard let endpoint else { return hasStarted.store(true, ordering: .relaxed) }
        let now = clocks.present()
        let isStarting = state.withLock { state in
            guard case .notStarted = state.thread, !state.machine.isClosed,
                state.machine.lastIndex > 0, now >= state.startDue
            else { return false }
            state.thread = .running
            return true
        }
        guard isStarting else { return }
        do throws(ZeroMQError) {
            _ = try startThread(name: "progressbus") {
                var thread = ReportingThread(reporter: self, endpoint: endpoint)
                thread.run()
            }
            hasStarted.store(true, ordering: .relaxed)
            ExitHook.remember(self)
        } catch {
            // The first event after that time tries again.
            state.withLock { state in
                state.thread = .notStarted
                state.startDue = now.later(by: Self.startPause)
            }
            warnOnce("Nothing is reported at present, which is tried again: \(error)")
        }
    }

    /// Connects the session to a broker in this process, whose owner serves it without a thread.
    func serveDirectly(_ wakeUp: @escaping @Sendable () -> Void) {
        hasStarted.store(true, ordering: .relaxed)
        state.withLock { state in
            state.thread = .running
            state.wakeUp = wakeUp
        }
        update { machine, now in
            machine.connected(at: now)
            machine.subscribed(at: now)
        }
    }

    /// Applies an event from the sockets; the thread is awake, and need not wake itself.
    func arrived(_ event: (inout ReportingMachine, Moment) -> Void) {
        update { machine, now in
            machine.sleep = nil
            event(&machine, now)
        }
    }

    /// The thread has ended: waiters are told false, and callers in `checkpoint()` go on.
    func left() {
        let (waiters, holders) = state.withLock { state in
            state.thread = .gone
            state.machine.isClosed = true
            defer {
                state.waiters = [:]
                state.holders = [:]
            }
            return (Array(state.waiters.values), state.holders.values.flatMap(\.values))
        }
        for waiter in waiters { waiter(false) }
        for holder in holders { holder.resume() }
    }

    func finish(_ waiter: UInt64, _ isDone: Bool) {
        let tell = state.withLock { $0.waiters.removeValue(forKey: waiter) }
        tell?(isDone)
    }

    // MARK: - Warnings

    func warn(_ sentence: String) {
        logger.warning("\(sentence)")
    }

    /// Says something unless it was said before.
    func warnOnce(_ sentence: String) {
        guard isAtHome else { return }
        let isNew = state.withLock { state in
            guard state.saidTexts.count < Self.rememberedTexts else { return false }
            return state.saidTexts.insert(sentence).inserted
        }
        if isNew { warn(sentence) }
    }

    /// Warns the program's author of a title that says nothing, if `warnsOfMistakes`.
    func warnIfVague(_ title: String) {
        guard warnsOfMistakes, VagueTitles.contains(title) else { return }
        warnOnce(
            "The title \"\(title)\" does not say what is done: name the work and what it is done to, "
                + "for instance \"Scan the library\"."
        )
    }

    /// Warns the program's author of a job that can only be lost, because its only handle is gone.
    func warnIfLeft(_ record: ReportedTask) {
        guard warnsOfMistakes, isAtHome else { return }
        let title = state.withLock { state in
            record.parent == 0 && !record.isEnded && !state.machine.isClosed ? record.title : nil
        }
        guard let title else { return }
        warnOnce(
            "\"\(title)\" was let go of before it has ended, and will be shown as lost: keep what "
                + "beginJob returns, and call succeed() or fail(_:) at the end, or use withJob."
        )
    }
}
