import BusProtocol
import TaskTree

/// The conversation with the broker over control.
extension ReportingMachine {
    /// The sockets have been opened: hello is due, as control may connect before the subscription
    /// comes.
    mutating func connected(at now: Moment) {
        link.conversation.greet(at: now)
    }

    /// The broker's subscription has arrived.
    mutating func subscribed(at now: Moment) {
        link.isSubscribed = true
        link.isRefused = false
        // The conversation goes on if its keyframe waits for the subscription, or a hello is under
        // way.
        let isGreeting = link.conversation.stage == .greeting
        let isExpected = link.isWelcomed ? reports.keyframe?.chunk == 0 : isGreeting
        guard !isExpected else { return }
        // Otherwise the connection is a new one, and frames sent over the former one may be lost.
        endConversation()
        link.conversation.greet(at: now)
    }

    /// The broker is gone, or its connection is.
    mutating func unsubscribed(at now: Moment) {
        link.isSubscribed = false
        endConversation()
    }

    /// Ends the conversation; the next one says again what was not answered in this one.
    mutating func endConversation() {
        link.conversation.stop()
        link.controlBlockedUntil = nil
        link.inHand = nil
        endings.outstanding = [:]
        endings.due = nil
        for index in reports.changed { tasks[index]?.isListed = false }
        reports.changed = []
        reports.progress = nil
        reports.tickDue = nil
        reports.lastTick = nil
        reports.keyframe = nil
        reports.inHand = nil
        reports.blockedUntil = nil
        for position in waiters.indices { waiters[position].stage = .flushing }
    }

    /// The next frame for the control socket, if one is due.
    mutating func nextControl(at now: Moment) -> WireClientFrame? {
        guard let body = nextBody(at: now) else { return nil }
        link.inHand = body
        return frame(body)
    }

    func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        WireClientFrame(credential: identity.credential, body)
    }

    private mutating func nextBody(at now: Moment) -> WireClientFrame.OneOf_Body? {
        guard link.isWelcomed else {
            guard link.conversation.isDue(at: now) else { return nil }
            var hello = hello()
            hello.time = wallTime(at: now)
            return .hello(hello)
        }
        if let blocked = link.controlBlockedUntil {
            guard now >= blocked else { return nil }
            link.controlBlockedUntil = nil
        }
        if !requests.answers.isEmpty { return .commandAnswer(requests.answers.removeFirst()) }
        // A redemption goes before its task's ending, which does not carry an earlier broker's
        // decision.
        if let redeem = nextRedeem(at: now) { return .redeem(redeem) }
        if let rows = nextEndings(at: now) { return .endings(rows) }
        if let question = nextQuestion(at: now) { return question }
        guard link.conversation.isDue(at: now) else { return nil }
        var heartbeat = WireHeartbeat()
        heartbeat.sequence = reports.lastSent
        return .heartbeat(heartbeat)
    }

    /// Whether libzmq has taken the control frame that `next` gave out.
    mutating func controlTaken(_ isTaken: Bool, at now: Moment) {
        guard let inHand = link.inHand else { return }
        link.inHand = nil
        guard !isTaken else { return link.conversation.sent(at: now) }
        link.controlBlockedUntil = now.later(by: Self.earlyGap)
        switch inHand {
        case .hello:
            let isHopeless = link.conversation.isHopeless && !link.isSubscribed
            link.conversation.notSent(at: now)
            // Nothing is to wake a worker that has no broker; `subscribed` makes hello due again.
            if isHopeless { link.conversation.stop() }
        case .endings(let rows): endingsNotTaken(rows.sequence, at: now)
        case .redeem(let redeem): unanswered[redeem.index]? = now
        case .commandAnswer(let answer): requests.answers.insert(answer, at: 0)
        case .sync(let sync): notAsked { $0.id == sync.request }
        case .goodbye: notAsked { $0.isClosing }
        default: break
        }
    }

    func hello() -> WireHello {
        var hello = WireHello()
        hello.session = identity.session.rawValue
        hello.process = identity.process
        hello.client = identity.client
        return hello
    }

    /// A frame of another major version has come.
    mutating func met(_ violation: ProtocolViolation) {
        guard violation.major != nil else { return }
        endConversation()
        link.isRefused = true
        guard warnedCodes.insert(violation.code.rawValue).inserted else { return }
        warn("The broker cannot be understood: \(violation.sentence)")
    }

    /// A frame has come from the broker.
    mutating func received(_ frame: WireBrokerFrame, at now: Moment) {
        switch frame.body {
        case .welcome(let welcome): welcomed(welcome, epoch: frame.epoch, at: now)
        case .who:
            // The hello under way will be answered by a welcome.
            guard link.conversation.stage != .greeting, !link.isRefused else { return }
            endConversation()
            link.conversation.greet(at: now)
        case .refusal(let refusal): refused(refusal, at: now)
        case .goodbyeAccepted: goodbyeAccepted()
        default:
            // All other frames belong to the conversation that the welcome began.
            guard frame.epoch == link.epoch, link.isWelcomed else { return }
            receivedAnswer(frame, at: now)
        }
    }

    private mutating func receivedAnswer(_ frame: WireBrokerFrame, at now: Moment) {
        switch frame.body {
        case .endingsJournalled(let answer): journalled(answer.sequence, at: now)
        case .syncReached(let answer): syncReached(answer.request)
        case .binding(let binding): bound(binding)
        case .places(let places): placed(places)
        case .command(let delivery): requested(delivery, at: now)
        default: break
        }
    }

    /// Begins a new conversation with every welcome, whichever broker or connection it comes from.
    private mutating func welcomed(_ welcome: WireWelcome, epoch: UInt64, at now: Moment) {
        endConversation()
        link.conversation.welcomed(welcome, at: now)
        link.isRefused = false
        // Another broker gives the same numbers to other deliveries.
        if epoch != link.epoch { (requests.answered, requests.answers) = ([], []) }
        link.epoch = epoch
        link.welcomedAt = now
        for index in redemptions.keys { unanswered[index] = now }
        startKeyframe()
        repeatEndings(at: now)
    }

    private mutating func placed(_ places: WirePlaces) {
        for (position, index) in places.index.enumerated() {
            if position < places.place.count {
                tasks[index]?.location.place = places.place[position]
            }
            if position < places.cell.count { tasks[index]?.location.cell = places.cell[position] }
        }
    }

    private mutating func refused(_ refusal: WireRefusal, at now: Moment) {
        let code = RefusalCode(rawValue: refusal.code)
        if code == .ticketUsed {
            if redemptions[refusal.index] != nil {
                ticketUsed(refusal.index, because: refusal.sentence)
            }
            return
        }
        if redemptions[refusal.index] != nil, code == .superseded || code == .notPermitted {
            return redemptionRefused(code, refusal)
        }
        switch code {
        case .wrongMajor, .sessionTaken, .badCredential:
            endConversation()
            link.isRefused = true
            let what = "This process reports nothing more to this broker"
            guard warnedCodes.insert(refusal.code).inserted else { return }
            return warn("\(what) (\(code.name)): \(refusal.sentence)")
        case .busy where link.conversation.stage == .greeting:
            link.conversation.putOff(at: now)
        case .stopping where link.conversation.stage == .greeting:
            // The next broker's subscription makes hello due again.
            link.conversation.stop()
        default: break
        }
        // A peer may send any code: no more than 100 are remembered.
        guard warnedCodes.count < 100, warnedCodes.insert(refusal.code).inserted else { return }
        warn("The broker refused something (\(code.name)): \(refusal.sentence)")
    }
}
