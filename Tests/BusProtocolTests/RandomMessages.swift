import BusProtocol
import SwiftProtobuf
@testable import TaskTree
import TestSupport

/// Random messages within all limits: whatever of this is encoded must decode to itself.
struct RandomMessages {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func report() -> WireReport {
        let isKeyframe = chance()
        var report = WireReport()
        report.credentialBytes = bytes(16)
        report.sequence = positive()
        if isKeyframe {
            report.keyframe = UInt32.random(in: 1...UInt32.max, using: &random)
            report.keyframeChunk = UInt32.random(in: 0...9, using: &random)
            report.keyframeLast = chance()
            report.folds = list { $0.fold() }
        }
        report.amountIndex = list { $0.positive() }
        report.completed = report.amountIndex.map { _ in amount(from: 0) }
        report.total = report.amountIndex.map { _ in amount(from: -1) }
        report.detailIndex = list { $0.positive() }
        report.detail = report.detailIndex.map { _ in text(500) }
        report.clockIndex = list { $0.positive() }
        report.elapsed = report.clockIndex.map { _ in milliseconds() }
        report.active = report.clockIndex.map { _ in milliseconds() }
        report.sinceAdvance = report.clockIndex.map { _ in milliseconds() }
        report.descriptions = list { $0.description() }
        report.states = list { random in
            .with {
                $0.index = random.positive()
                $0.state = random.chance() ? .paused : .running
            }
        }
        report.logs = list { $0.logLine() }
        report.probe = chance() ? positive() : 0
        return report
    }

    mutating func clientFrame() -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = bytes(16)
        switch Int.random(in: 0..<13, using: &random) {
        case 0:
            frame.hello.session = positive()
            frame.hello.process = process()
            frame.hello.client = text(200)
            frame.hello.viewer = chance()
        case 1:
            frame.endings.sequence = positive()
            frame.endings.endings = list { $0.ending() }
            frame.endings.folds = list { $0.fold() }
        case 2:
            frame.redeem.index = positive()
            frame.redeem.ticket = task()
            if chance() { frame.redeem.known = binding() }
        case 3:
            frame.snapshot.request = positive()
            frame.snapshot.topic = topic().name
            frame.snapshot.cursorBytes = bytes(Int.random(in: 0...64, using: &random))
            frame.snapshot.maxRows = UInt32.random(in: 0...1000, using: &random)
            frame.snapshot.maxBytes = UInt32.random(in: 0...100_000, using: &random)
        case 4:
            frame.command.request = positive()
            frame.command.verb = WireVerb.allCases.randomElement(using: &random) ?? .cancel
            frame.command.target = task()
            frame.command.timeout = UInt32.random(in: 0...600_000, using: &random)
        case 5:
            frame.commandAnswer.delivery = positive()
            frame.commandAnswer.outcome = outcome()
            frame.commandAnswer.text = text(500)
        case 6: frame.detached = detachedRequest()
        case 7: frame.access = accessRequest()
        case 8:
            frame.fleetPages.pages = [3, UInt32.random(in: 4...1_000_000, using: &random)]
            frame.fleetPages.trouble = text(1_000)
        case 9:
            frame.fleetRows.broker = positive()
            frame.fleetRows.host = text(255)
            frame.fleetRows.rows = list { $0.job() }
            frame.fleetRows.removed = list { $0.task() }
            frame.fleetRows.unheard = Double.random(in: 0...1e9, using: &random)
            frame.fleetRows.left = chance()
        case 10:
            frame.fleetAnswer.broker = positive()
            frame.fleetAnswer.found.request = positive()
            frame.fleetAnswer.found.tasks = list { random in .with { $0.task = random.task() } }
        case 11:
            frame.fleetSession.broker = positive()
            frame.fleetSession.session = positive()
            frame.fleetSession.frameBytes = bytes(Int.random(in: 0...64, using: &random))
        default: break
        }
        return frame
    }

    private mutating func accessRequest() -> WireAccessRequest {
        var request = WireAccessRequest()
        request.request = positive()
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            request.join.publicKey = BusKey(bytes(32))
            request.join.name = "anna@laptop"
        case 1: request.renew.publicKey = BusKey(bytes(32))
        case 2:
            request.invite.publicKey = BusKey(bytes(32))
            request.invite.role = Role.allCases.randomElement(using: &random)?.wire ?? .viewer
            request.invite.uses = UInt32.random(in: 1...100_000, using: &random)
            request.invite.seconds = UInt32.random(in: 1...86_400, using: &random)
        case 3: request.revoke.name = "0a1b2c3d"
        case 5: request.renewBroker.publicKey = BusKey(bytes(32))
        case 4: request.members.skip = UInt32.random(in: 0...UInt32.max, using: &random)
        default: break
        }
        return request
    }

    private mutating func detachedRequest() -> WireDetachedRequest {
        var request = WireDetachedRequest()
        request.requestIDBytes = bytes(16)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            request.begin.title = text(200)
            request.begin.parent = text(256)
            request.begin.key = text(200)
            if chance() { request.begin.total = amount(from: -1) }
            if chance() { request.begin.expectEvery = Double.random(in: 1...1e9, using: &random) }
        case 1:
            request.update.task = task()
            if chance() { request.update.completed = amount(from: 0) }
            if chance() { request.update.detail = text(500) }
        case 2:
            request.advance.task = task()
            request.advance.by = amount(from: 1)
        case 3:
            request.end.task = task()
            request.end.state = chance() ? .failed : .succeeded
            request.end.reason = text(500)
        default: break
        }
        return request
    }

    mutating func brokerFrame() -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = positive()
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            frame.refusal.code = UInt32.random(in: 0...100, using: &random)
            frame.refusal.sentence = text(1000)
            frame.refusal.request = positive()
            frame.refusal.index = positive()
        case 1:
            frame.binding = binding()
        case 2:
            frame.places.index = list { $0.positive() }
            frame.places.place = frame.places.index.map { _ in place() }
            frame.places.cell = frame.places.index.map { _ in place() }
        case 3:
            frame.snapshot.request = positive()
            frame.snapshot.topic = topic().name
            frame.snapshot.sequence = positive()
            frame.snapshot.rows = list { $0.row() }
            frame.snapshot.stateBytes = bytes(Int.random(in: 0...4096, using: &random))
            frame.snapshot.time = seconds()
        case 4:
            frame.commandResult.request = positive()
            frame.commandResult.session = positive()
            frame.commandResult.process = process()
            frame.commandResult.outcome = outcome()
            frame.commandResult.text = text(500)
        case 5:
            frame.detached.requestIDBytes = bytes(16)
            if chance() { frame.detached.task = task() }
            frame.detached.code = UInt32.random(in: 0...100, using: &random)
            frame.detached.sentence = text(1000)
        default: break
        }
        return frame
    }

    mutating func update() -> WireUpdate {
        var update = WireUpdate()
        update.epoch = positive()
        update.sequence = positive()
        update.previous = positive()
        update.time = seconds()
        update.settling = chance()
        update.rows = list { $0.row() }
        update.removed = list { random in
            .with {
                $0.task = random.task()
                $0.reason = random.text(500)
            }
        }
        update.attention = list { $0.task() }
        update.stateBytes = bytes(Int.random(in: 0...4096, using: &random))
        update.logs = list { $0.logLine() }
        return update
    }

    mutating func taskDescription() -> TaskDescription {
        var task = TaskDescription(parent: parentLink(), title: text(200))
        task.unit = text(50)
        task.key = text(200)
        task.options.tint = text(20)
        task.options.consequence = text(500)
        task.options.host = text(255)
        if case .task = task.parent { task.isTicket = chance() }
        if chance() { task.share = Int64.random(in: 0...ProtocolLimits.maxShare, using: &random) }
        if chance() { task.options.expectedChildren = Int(amount(from: 0)) }
        if chance() {
            task.options.expectedGap = .seconds(Int.random(in: 0...1_000_000_000, using: &random))
        }
        task.options.totalIsEstimate = chance()
        task.options.style = chance() ? .bar : .spinner
        task.options.isBackground = chance()
        task.options.isCancellable = chance()
        task.options.isPausable = chance()
        if chance() {
            task.begun = Double.random(in: 0...ProtocolLimits.maxUnixTime, using: &random)
        }
        return task
    }

    private mutating func description() -> WireDescription {
        var wire = WireDescription(index: positive(), taskDescription())
        if chance() { wire.place = place() }
        if chance() { wire.cell = place() }
        return wire
    }

    private mutating func ending() -> WireEnding {
        var ending = WireEnding()
        ending.description_p = description()
        ending.state = WireStatedState.allCases.randomElement(using: &random) ?? .succeeded
        ending.reason = text(500)
        ending.completed = amount(from: 0)
        if chance() { ending.total = amount(from: -1) }
        ending.detail = text(500)
        ending.clock.elapsed = milliseconds()
        ending.clock.active = milliseconds()
        ending.clock.sinceAdvance = milliseconds()
        ending.time = seconds()
        return ending
    }

    private mutating func fold() -> WireFold {
        let share = Int64.random(in: 0...Int64.max, using: &random)
        let folded = FoldedChildren(
            succeeded: Int.random(in: 0...1 << 40, using: &random),
            failed: Int.random(in: 0...9, using: &random),
            cancelled: Int.random(in: 0...9, using: &random),
            share: share,
            weighted: Int128.random(in: 0...Int128(share) << 50, using: &random),
            sums: list { random in
                UnitSum(
                    unit: random.text(50),
                    completed: random.amount(from: 0),
                    total: random.amount(from: 0)
                )
            },
            removed: list { $0.positive() }
        )
        var fold = WireFold(parent: taskID(), folded)
        if chance() {
            fold.below.running = positive() % (ProtocolLimits.maxFoldedCount + 1)
            fold.below.troubles = positive() % (ProtocolLimits.maxFoldedCount + 1)
            fold.below.lostChildren = positive() % (ProtocolLimits.maxFoldedCount + 1)
        }
        return fold
    }

    private mutating func row() -> WireRow {
        var row = WireRow()
        row.task = task()
        row.sequence = positive()
        if chance() {
            row.description_p.title = text(200)
            row.description_p.key = text(212)
            row.description_p.slot = UInt32.random(in: 1...1000, using: &random)
            row.description_p.depth = UInt32.random(in: 0...64, using: &random)
            row.description_p.process = process()
        }
        if chance() {
            row.progress.state = WireShownState.allCases.randomElement(using: &random) ?? .lost
            row.progress.fraction = Double.random(in: 0...3, using: &random)
            row.progress.displayFraction = Double.random(in: 0...1, using: &random)
            row.progress.rate = Double.random(in: -1e6...1e6, using: &random)
            row.progress.counts.running = positive() % (ProtocolLimits.maxCount + 1)
            row.progress.exitStatus = Int32.random(in: -1...255, using: &random)
        }
        return row
    }

    /// The row of a job as a board has it.
    private mutating func job() -> WireRow {
        var row = row()
        row.description_p.slot = UInt32.random(in: 1...1_000, using: &random)
        row.description_p.clearParent()
        row.progress.completed = amount(from: 0)
        return row
    }

    private mutating func binding() -> WireBinding {
        var binding = WireBinding()
        binding.index = positive()
        binding.kind = WireBindingKind.allCases.randomElement(using: &random) ?? .child
        binding.task = task()
        binding.attempt = UInt32.random(in: 1...9, using: &random)
        return binding
    }

    private mutating func process() -> WireProcess {
        var process = WireProcess()
        process.host = text(255)
        process.pid = Int64.random(in: 0...Int64(Int32.max), using: &random)
        process.command = text(500)
        process.bootID = text(100)
        process.pidNamespace = text(100)
        process.startTime = UInt64.random(in: 0 ... .max, using: &random)
        return process
    }

    private mutating func logLine() -> WireLogLine {
        var line = WireLogLine()
        line.task = task()
        line.text = text(1000)
        line.time = seconds()
        return line
    }

    mutating func topic() -> Topic {
        let block = Int.random(in: 0...9999, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .totals
        case 1: return .attention
        case 2: return .board(page: block)
        case 3: return .children(taskID(), block: block)
        case 4: return .states(taskID(), block: block)
        case 5: return .job(taskID())
        case 6: return .log(taskID())
        default: return .probe(positive())
        }
    }

    mutating func taskID() -> TaskID {
        TaskID(index: positive(), session: SessionID(rawValue: positive()))
    }

    /// Any text in one line, cut at the limit as a sender has to.
    mutating func text(_ limit: Int) -> String {
        let pieces = ["x", " ", "é", "e\u{301}", "日本", "👩‍👩‍👧‍👦", "🇩🇪", ""]
        let count = Int.random(in: 0...(random.oneIn(10) ? limit : 12), using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            .limited(toUTF8: limit)
    }

    private mutating func parentLink() -> ParentLink {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .none
        case 1: .task(taskID())
        default: .ticket(taskID())
        }
    }

    private mutating func task() -> WireTaskRef { WireTaskRef(taskID()) }

    private mutating func outcome() -> WireOutcome {
        WireOutcome.allCases.randomElement(using: &random) ?? .gone
    }

    private mutating func chance() -> Bool { random.oneIn(2) }

    /// From 1, small ones as likely as great ones.
    private mutating func positive() -> UInt64 {
        max(1, random.next() >> UInt64.random(in: 0..<64, using: &random))
    }

    private mutating func amount(from least: Int64) -> Int64 {
        chance() ? least : Int64.random(in: least...Int64.max, using: &random)
    }

    private mutating func place() -> UInt32 { UInt32.random(in: 0...1 << 31 - 1, using: &random) }

    private mutating func milliseconds() -> UInt64 {
        UInt64.random(in: 0...ProtocolLimits.maxMilliseconds, using: &random)
    }

    private mutating func seconds() -> Double { Double.random(in: 0...4e9, using: &random) }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func list<Element>(
        _ make: (inout RandomMessages) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in make(&self) }
    }
}
