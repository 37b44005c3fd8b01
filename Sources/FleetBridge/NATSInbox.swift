import BusProtocol
import FleetCore
import Synchronization
import ZeroMQ

/// The events that libnats' threads leave for the thread of the bridge.
final class NATSInbox: Sendable {
    private struct Content {
        var events: [FleetMachine.Event] = []
        var isOverfull = false
        var isClosed = false
    }

    private let content = Mutex(Content())
    private let subjects: FleetSubjects
    let wakeUp: WakeUp
    /// Events that may wait; further records and warnings are dropped, and the stream is read
    /// again.
    private static let limit = 50_000

    init(subjects: FleetSubjects) throws(ZeroMQError) {
        self.subjects = subjects
        wakeUp = try WakeUp()
    }

    func add(_ event: FleetMachine.Event) {
        content.withLock { content in
            // Later events would hide why the inbox was closed.
            if content.isClosed { return }
            let mayBeLost =
                switch event {
                case .record, .trouble, .unreadable: true
                default: false
                }
            if mayBeLost, content.events.count >= Self.limit {
                content.isOverfull = true
            } else {
                content.events.append(event)
            }
        }
        if event.isUrgent { wakeUp.signal() }
    }

    func warn(_ sentence: String) { add(.trouble(sentence)) }

    /// Takes a message; one of another bus is ignored.
    func add(subject name: String, bytes: [UInt8], isStored: Bool) {
        guard let subject = subjects.subject(name) else { return }
        do throws(ProtocolViolation) {
            add(.record(subject, try Frame.decodeFleet(bytes), isStored: isStored))
        } catch {
            add(.unreadable("a record under \(name) is not read: \(error.sentence)"))
        }
    }

    /// Takes the answer to a record that was put.
    func answer(subject name: String, isKept: Bool) {
        guard let subject = subjects.subject(name) else { return }
        add(.answered(subject, isKept: isKept))
    }

    /// Takes no more events, as the connection is not made again.
    func close() {
        content.withLock { $0.isClosed = true }
        wakeUp.signal()
    }

    var isClosed: Bool { content.withLock { $0.isClosed } }

    func takeAll() -> [FleetMachine.Event] {
        wakeUp.drain()
        return content.withLock { content in
            defer { content = Content(isClosed: content.isClosed) }
            return content.events + (content.isOverfull ? [.missed] : [])
        }
    }
}

extension FleetMachine.Event {
    /// Whether the event wakes the bridge.
    ///
    /// Another broker waits for a message; records of pages, slots and beats can wait for the next
    /// tick.
    fileprivate var isUrgent: Bool {
        switch self {
        case .record(.page, _, _), .record(.slot, _, _), .record(.beat, _, _), .unreadable: false
        default: true
        }
    }
}
