import BusProtocol
import TaskTree

/// A session that says anything the protocol can express, in frames that are mostly valid.
struct HostileSession {
    let number: UInt8
    var isViewer = false
    var route: UInt8
    private var sequence: UInt64 = 0
    private var chunk: UInt32 = 0

    init(_ number: UInt8) {
        self.number = number
        route = number
    }

    var id: SessionID { SessionID(rawValue: UInt64(number) + 1) }
    var credential: [UInt8] { Array(repeating: number, count: 16) }

    /// A task of any session.
    private func task(_ choices: inout Choices) -> WireTaskRef {
        var task = WireTaskRef()
        task.index = choices.index()
        // Its own by 0, the honest session's by 1, those of others, the broker's own, nobody's.
        task.session = choices.of([0, 1, 1, 2, 3, 4, SessionStage.ownSession.rawValue, 99])
        return task
    }

    private mutating func nextSequence(_ choices: inout Choices) -> UInt64 {
        sequence &+= 1
        // Old ones, too.
        return choices.byte() < 230 ? max(1, sequence) : max(1, choices.edge())
    }

    private func description(_ choices: inout Choices) -> WireDescription {
        var description = WireDescription()
        description.index = choices.index()
        let kind = choices.byte()
        if kind & 3 == 1 || kind & 3 == 2 { description.parent = task(&choices) }
        if kind & 3 == 2 { description.isTicket = true }
        if kind & 3 == 3 { description.ticket = task(&choices) }
        description.title = choices.text()
        if kind & 4 != 0 { description.unit = String(choices.text().prefix(10)) }
        if kind & 8 != 0 { description.key = choices.text() }
        if kind & 12 == 12 { description.consequence = Choices.longestText }
        if kind & 24 == 24 { description.host = "elsewhere" }
        if kind & 16 != 0 { description.share = min(choices.amount(), 1 << 48) }
        if kind & 32 != 0 { description.expectedChildren = choices.amount() }
        if kind & 64 != 0 {
            description.place = UInt32(min(choices.edge(), (1 << 31) - 1))
            description.cell = UInt32(min(choices.edge(), (1 << 31) - 1))
        }
        if kind & 128 != 0 { description.expectedGap = min(Double(choices.edge()), 1e9) }
        description.begun = choices.time()
        return description
    }

    private func fold(_ choices: inout Choices) -> WireFold {
        var fold = WireFold()
        fold.parent = task(&choices)
        fold.succeeded = min(choices.edge(), 1 << 40)
        fold.failed = min(choices.edge(), 1 << 40)
        fold.share = min(choices.edge(), (1 << 63) - 1)
        fold.weightedHigh = min(choices.edge(), fold.share >> 15)
        fold.removed = (0..<choices.number(below: 4)).map { _ in choices.index() }
        if choices.flag() {
            var sum = WireUnitSum()
            sum.unit = String(choices.text().prefix(10))
            sum.completed = choices.amount()
            sum.total = choices.amount()
            fold.sums = [sum]
        }
        return fold
    }

    private func clock(_ choices: inout Choices) -> WireClock {
        var clock = WireClock()
        clock.elapsed = min(choices.edge(), 1 << 53)
        clock.active = min(choices.edge(), 1 << 53)
        clock.sinceAdvance = min(choices.edge(), 1 << 53)
        return clock
    }

    /// A report: changes, or a chunk of a keyframe.
    mutating func report(_ choices: inout Choices) -> WireReport {
        var report = WireReport()
        report.credentialBytes = credential
        report.sequence = nextSequence(&choices)
        for _ in 0..<choices.number(below: 4) {
            report.descriptions.append(description(&choices))
        }
        for _ in 0..<choices.number(below: 4) {
            report.amountIndex.append(choices.index())
            report.completed.append(choices.amount())
            report.total.append(choices.flag() ? choices.amount() : -1)
        }
        for _ in 0..<choices.number(below: 3) {
            report.detailIndex.append(choices.index())
            report.detail.append(choices.longText())
        }
        for _ in 0..<choices.number(below: 3) {
            var change = WireStateChange()
            change.index = choices.index()
            change.state = choices.flag() ? .paused : .running
            report.states.append(change)
        }
        for _ in 0..<choices.number(below: 3) {
            let clock = clock(&choices)
            report.clockIndex.append(choices.index())
            report.elapsed.append(clock.elapsed)
            report.active.append(clock.active)
            report.sinceAdvance.append(clock.sinceAdvance)
        }
        if choices.byte() > 200 {
            var line = WireLogLine()
            line.task = task(&choices)
            line.text = choices.text()
            line.time = choices.time()
            report.logs = [line]
        }
        if choices.byte() > 180 { addKeyframe(to: &report, &choices) }
        if choices.byte() > 240 { report.probe = choices.edge() }
        return report
    }

    private mutating func addKeyframe(to report: inout WireReport, _ choices: inout Choices) {
        report.keyframe = 1 + UInt32(choices.number(below: 2))
        report.keyframeChunk = choices.byte() < 200 ? chunk : UInt32(choices.byte())
        report.keyframeLast = choices.flag()
        chunk = report.keyframeLast ? 0 : chunk &+ 1
        if choices.flag() { report.folds = [fold(&choices)] }
    }

    /// Anything over control; `nil` where the choice is none.
    mutating func control(_ choices: inout Choices) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes =
            choices.byte() < 250 ? credential : HonestSession.credential.map { $0 ^ 1 }
        let kind = choices.byte()
        // Findings are kept that were made before there was a fleet: smaller numbers stand for the
        // same frames as then.
        guard kind < 247 else {
            if kind == 247 {
                frame.fleetAnswer = answer(&choices)
            } else if kind < 250 {
                frame.fleetPages = pages(&choices)
            } else if kind < 253 {
                frame.fleetRows = rows(&choices)
            } else {
                frame.fleetSession = envelope(&choices)
            }
            return frame
        }
        switch kind % 13 {
        case 0:
            frame.hello.session = choices.byte() < 220 ? id.rawValue : choices.of([1, 2, 3, 99])
            frame.hello.viewer = choices.byte() > 200
            frame.hello.client = choices.text()
            frame.hello.process.command = Choices.longestText
            frame.hello.process.pid = Int64(choices.number(below: 3))
            frame.hello.process.bootID = choices.of(["boot", choices.text()])
            frame.hello.process.pidNamespace = choices.of(["space", choices.text()])
            frame.hello.process.startTime = choices.edge()
        case 1: frame.heartbeat.sequence = choices.edge()
        case 2, 3:
            frame.endings.sequence = nextSequence(&choices)
            for _ in 0..<choices.number(below: 3) { frame.endings.endings.append(ending(&choices)) }
            for _ in 0..<choices.number(below: 3) { frame.endings.folds.append(fold(&choices)) }
        case 4:
            frame.sync.request = max(1, choices.edge())
            frame.sync.sequence = choices.edge()
        case 5, 6: frame.redeem = redeem(&choices)
        case 7: frame.goodbye.sequence = choices.byte() < 128 ? 0 : choices.edge()
        case 8:
            frame.snapshot.request = 1
            frame.snapshot.topic = choices.of(SessionStage.topicNames)
            if choices.flag() {
                frame.snapshot.cursorBytes = Array("\(choices.edge()):\(choices.edge())".utf8)
            }
            frame.snapshot.maxRows = UInt32(choices.number(below: 3))
        case 9:
            frame.find.request = 1
            frame.find.text = choices.text()
        case 10:
            frame.command.request = max(1, choices.edge())
            frame.command.verb = choices.of([.cancel, .pause, .resume, .dismiss, .unknown])
            frame.command.target = task(&choices)
            frame.command.timeout = UInt32(min(choices.edge(), 600_000))
        case 11:
            frame.commandAnswer.delivery = max(1, choices.edge())
            frame.commandAnswer.outcome = choices.of([.accepted, .refused, .gone])
            frame.commandAnswer.text = choices.text()
        default: frame.detached = detached(&choices)
        }
        return frame
    }

    private func pages(_ choices: inout Choices) -> WireFleetPages {
        var pages = WireFleetPages()
        pages.pages = choices.of([[], [0], [1], [1, 0]])
        return pages
    }

    private func rows(_ choices: inout Choices) -> WireFleetRows {
        var rows = WireFleetRows()
        rows.broker = UInt64(choices.number(below: 3)) + 1
        rows.host = choices.text()
        for _ in 0..<choices.number(below: 3) {
            var row = WireRow()
            row.task = task(&choices)
            row.description_p.title = choices.longText()
            row.description_p.slot = choices.of([1, 2, 65, 130])
            row.progress.completed = choices.amount()
            row.progress.counts.running = choices.edge()
            row.progress.attention = choices.edge()
            row.progress.reason = choices.longText()
            rows.rows.append(row)
        }
        if choices.flag() { rows.removed = [task(&choices)] }
        if choices.flag() { rows.unheard = choices.time() }
        rows.left = choices.byte() > 200
        return rows
    }

    /// What another broker says of a session there, or answers one here.
    private mutating func envelope(_ choices: inout Choices) -> WireFleetSession {
        var envelope = WireFleetSession()
        envelope.broker = UInt64(choices.number(below: 3)) + 1
        envelope.session = choices.of([2, 3, 4, 5, 1, 99])
        if choices.flag() {
            // One that is in none, so that it comes to its end.
            var frame = control(&choices)
            if case .fleetSession? = frame.body { frame.heartbeat.sequence = 1 }
            envelope.frameBytes = Frame.encode(frame)
        } else {
            envelope.frameBytes = Frame.encode(ownerFrame(&choices))
        }
        return envelope
    }

    private func ownerFrame(_ choices: inout Choices) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = 9
        switch choices.number(below: 6) {
        case 0: frame.welcome.heartbeat = 1_000
        case 1: frame.who = WireWho()
        case 2: frame.endingsJournalled.sequence = choices.edge()
        case 3:
            frame.binding.index = choices.index()
            frame.binding.kind = choices.of([.holder, .child, .inert])
            frame.binding.attempt = 1
            frame.binding.task = task(&choices)
        case 4:
            frame.command.delivery = max(1, choices.edge())
            frame.command.verb = choices.of([.cancel, .pause, .resume, .dismiss])
            frame.command.index = [choices.index(), choices.index()]
        default:
            frame.refusal.code = RefusalCode.superseded.rawValue
            frame.refusal.index = choices.index()
        }
        return frame
    }

    private func answer(_ choices: inout Choices) -> WireFleetAnswer {
        var answer = WireFleetAnswer()
        answer.broker = UInt64(choices.number(below: 3)) + 1
        switch choices.number(below: 4) {
        case 0:
            answer.snapshot.topic = choices.of(SessionStage.topicNames)
            var row = WireRow()
            row.task = task(&choices)
            row.progress.completed = choices.amount()
            answer.snapshot.rows = [row]
            answer.snapshot.last = true
        case 1:
            var found = WireFoundTask()
            found.task = task(&choices)
            answer.found.tasks = [found]
        case 2: answer.commandResult.last = choices.flag()
        default: answer.refusal.sentence = choices.text()
        }
        answer.request = choices.of([1, 2, 3, max(1, choices.edge())])
        return answer
    }

    private func ending(_ choices: inout Choices) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = description(&choices)
        ending.state = choices.of([.succeeded, .failed, .cancelled, .running, .paused])
        ending.reason = choices.longText()
        ending.completed = choices.amount()
        ending.total = choices.flag() ? choices.amount() : -1
        ending.detail = choices.longText()
        if choices.flag() { ending.clock = clock(&choices) }
        ending.time = choices.time()
        return ending
    }

    private func redeem(_ choices: inout Choices) -> WireRedeem {
        var redeem = WireRedeem()
        redeem.index = choices.index()
        redeem.ticket = task(&choices)
        if choices.flag() {
            redeem.known.kind = choices.of([.holder, .holder, .child, .inert])
            redeem.known.attempt = UInt32(clamping: choices.edge())
            redeem.known.task = redeem.ticket
            redeem.known.index = redeem.index
        }
        return redeem
    }

    private func detached(_ choices: inout Choices) -> WireDetachedRequest {
        var request = WireDetachedRequest()
        request.requestIDBytes = Array(repeating: choices.byte(), count: 16)
        switch choices.number(below: 4) {
        case 0:
            request.begin.title = choices.text()
            if choices.flag() { request.begin.parent = choices.text() }
            request.begin.total = choices.amount()
            if choices.flag() { request.begin.expectEvery = 1 }
        case 1:
            request.advance.task = task(&choices)
            request.advance.by = max(1, choices.amount())
        case 2:
            request.update.task = task(&choices)
            request.update.completed = choices.amount()
            request.update.detail = choices.text()
        default:
            request.end.task = task(&choices)
            request.end.state = choices.of([.succeeded, .failed, .cancelled])
        }
        return request
    }
}
