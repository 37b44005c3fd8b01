import BusProtocol
import TaskTree

/// A session that says what its ledger has, beside others that do what they like.
///
/// What viewers are shown of its tasks must be what it has said, whatever the others say.
struct HonestSession {
    struct Entry {
        var title: String
        var completed: Int64 = 0
        var detail = ""
        var state = WireStatedState.running
        var reason = ""
    }

    static let id = SessionID(rawValue: 1)
    static let credential: [UInt8] = Array(repeating: 0xAA, count: 16)
    /// A job and its children; the last one is a ticket, which others may redeem.
    static let count: UInt64 = 6
    static let ticket: UInt64 = 6

    private(set) var ledger: [UInt64: Entry] = [:]
    private var sequence: UInt64 = 0

    static func task(_ index: UInt64) -> TaskID { TaskID(index: index, session: id) }
    static var job: TaskID { task(1) }

    static let hello: WireClientFrame = {
        var frame = WireClientFrame()
        frame.credentialBytes = credential
        frame.hello.session = id.rawValue
        return frame
    }()

    private func description(_ index: UInt64) -> WireDescription {
        var description = WireDescription()
        description.index = index
        description.title = ledger[index]?.title ?? ""
        if index > 1 { description.parent = WireTaskRef(Self.job) }
        description.isTicket = index == Self.ticket
        description.cancellable = true
        return description
    }

    /// Everything that it has to say, as a keyframe.
    mutating func keyframe() -> WireReport {
        for index in 1...Self.count where ledger[index] == nil {
            ledger[index] = Entry(title: "Honest \(index)")
        }
        sequence += 1
        var report = WireReport()
        report.credentialBytes = Self.credential
        report.sequence = sequence
        report.keyframe = UInt32(truncatingIfNeeded: sequence)
        report.keyframeLast = true
        for index in 1...Self.count where ledger[index]?.state == .running {
            report.descriptions.append(description(index))
            report.amountIndex.append(index)
            report.completed.append(ledger[index]?.completed ?? 0)
            report.total.append(-1)
            report.detailIndex.append(index)
            report.detail.append(ledger[index]?.detail ?? "")
        }
        return report
    }

    /// A task gets on.
    mutating func advance(_ index: UInt64) -> WireReport? {
        guard ledger[index]?.state == .running, index != Self.ticket else { return nil }
        sequence += 1
        ledger[index]?.completed += 1
        ledger[index]?.detail = "step \(sequence)"
        var report = WireReport()
        report.credentialBytes = Self.credential
        report.sequence = sequence
        report.amountIndex = [index]
        report.completed = [ledger[index]?.completed ?? 0]
        report.total = [-1]
        report.detailIndex = [index]
        report.detail = ["step \(sequence)"]
        return report
    }

    /// A child ends; the job only by ``leave()``.
    mutating func end(_ index: UInt64, _ state: WireStatedState) -> WireClientFrame? {
        guard ledger[index]?.state == .running, index != Self.ticket else { return nil }
        sequence += 1
        ledger[index]?.state = state
        ledger[index]?.reason = state == .failed ? "because \(sequence)" : ""
        var ending = WireEnding()
        ending.description_p = description(index)
        ending.state = state
        ending.reason = ledger[index]?.reason ?? ""
        ending.completed = ledger[index]?.completed ?? 0
        ending.total = -1
        ending.detail = ledger[index]?.detail ?? ""
        return frame {
            $0.endings.sequence = sequence
            $0.endings.endings = [ending]
        }
    }

    func frame(_ build: (inout WireClientFrame) -> Void) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = Self.credential
        build(&frame)
        return frame
    }

    /// Compares what viewers are shown with the ledger.
    ///
    /// Others may hang children below its tasks, ask for a cancel, redeem its ticket: that shows in
    /// sums, in `cancelling` and in a success that waits, and in nothing else.
    func check(_ rows: [WireRow]) {
        var shown: [TaskID: WireRow] = [:]
        for row in rows { if let id = row.task.taskID() { shown[id] = row } }
        for (index, entry) in ledger where index != Self.ticket {
            guard let row = shown[Self.task(index)] else {
                promise(false, "honest task \(index) is gone")
                continue
            }
            let progress = row.progress
            promise(row.description_p.title == entry.title, "title of \(index): \(row)")
            promise(progress.completed == entry.completed, "completed of \(index): \(row)")
            promise(progress.detail == entry.detail, "detail of \(index): \(row)")
            let states: [WireShownState] =
                switch entry.state {
                case .succeeded: [.succeeded, .running, .cancelling]
                case .failed: [.failed]
                case .cancelled: [.cancelled]
                default: [.running, .cancelling]
                }
            promise(states.contains(progress.state), "state of \(index): \(row)")
            promise(progress.reason == entry.reason, "reason of \(index): \(row)")
            promise(progress.childrenLeftOut == 0, "somebody has folded below \(index): \(row)")
        }
        promise(shown[Self.task(Self.ticket)] != nil, "the honest ticket is gone")
    }
}
