import BusProtocol
import TaskTree

/// Hello, heartbeats, and what is due at a time.
extension FollowerMachine {
    /// Does what is due; to be called after every batch of frames, and at `nextTime` at the latest.
    mutating func tick(at now: Moment) {
        // First, as the error of a question without an answer says whether hello was sent.
        sendInquiries(at: now)
        greet(at: now)
        chooseTopics(at: now)
        watchTopics(at: now)
        askForSnapshots(at: now)
        noteCompleteness(at: now)
        noteEndings(at: now)
    }

    /// Hands out the pending actions in order, each once.
    mutating func takeActions() -> [Action] {
        defer { actions.removeAll() }
        return actions
    }

    /// When `tick` is due next, at most a second from now.
    func nextTime(after now: Moment) -> Moment {
        var next = now.advanced(bySeconds: 1)
        if let due = link.conversation.due { next = min(next, due) }
        let isWindowOpen = outstanding.count < window
        for topic in topics.values {
            guard let due = topic.nextTime else { continue }
            // Without room in the window only answers and time-outs matter, and they wake us.
            if due > now {
                next = min(next, due)
            } else if isWindowOpen, link.conversation.isWelcomed {
                next = now
            }
        }
        for inquiry in inquiries.values {
            if let deadline = inquiry.deadline { next = min(next, deadline) }
        }
        for follow in follows.values {
            if follow.baseCompleteSince != nil, follow.completeEpoch != link.epoch {
                next = min(next, now.advanced(bySeconds: 0.1))
            }
            let due =
                follow.deliveredAt?.advanced(bySeconds: tickLength)
                ?? follow.createdAt.advanced(bySeconds: Self.connectingGrace)
            if due > now { next = min(next, due) }
            if let ending = follow.ending, ending.isGiven {
                next = min(next, endOfMessages(of: ending))
            }
        }
        return max(next, now)
    }

    /// The broker's tick, in seconds: a consumer gets one value per tick at most, and a few early
    /// ones.
    var tickLength: Double {
        guard let tick = link.welcome?.tick, tick > 0 else { return 0.05 }
        return min(Double(tick) / 1_000, 1)
    }

    /// The goodbye before the sockets close; `nil` without a welcome.
    func goodbye() -> WireClientFrame? {
        guard link.conversation.isWelcomed else { return nil }
        return frame(.goodbye(WireGoodbye()))
    }

    /// A frame could not be sent: there is no connection, or it is full.
    mutating func notSent(_ frame: WireClientFrame, at now: Moment) {
        switch frame.body {
        case .hello, .heartbeat:
            link.conversation.notSent(at: now)
        case .snapshot(let request):
            guard let topic = outstanding.removeValue(forKey: request.request)?.topic else {
                return
            }
            topics[topic]?.requestFailed(request.request, at: now, retryAfter: 0.1)
        case .find(let find):
            inquiries[find.request]?.isSent = false
        case .command(let command):
            inquiries[command.request]?.isSent = false
        default:
            break
        }
    }

    func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        WireClientFrame(credential: credential, body)
    }

    private mutating func greet(at now: Moment) {
        if link.fatal != nil { link.conversation.stop() }
        guard let body = link.conversation.takeFrame(hello: hello, at: now) else { return }
        actions.append(.send(frame(body)))
    }

    mutating func receive(_ welcome: WireWelcome, at now: Moment) {
        link.welcome = welcome
        link.helloRefusal = nil
        link.welcomedAt = now
        link.answeredAt = now
        link.conversation.welcomed(welcome, at: now)
    }

    mutating func receive(_ refusal: WireRefusal, at now: Moment) {
        let code = RefusalCode(rawValue: refusal.code)
        if code == .wrongMajor {
            link.fatal = FollowError(.refused, refusal.sentence)
        } else if let topic = outstanding.removeValue(forKey: refusal.request)?.topic {
            take(topics[topic]?.refused(code, at: now, jitter: &jitter), of: topic, at: now)
        } else if let inquiry = inquiries.removeValue(forKey: refusal.request) {
            actions.append(.answer(inquiry.id, .failed(FollowError(refusal))))
        } else if refusal.request == 0, link.conversation.stage == .greeting {
            helloRefused(FollowError(refusal), at: now)
        } else if refusal.isOfMember {
            // The follower's key was revoked while it was connected.
            link.fatal = FollowError(refusal)
        }
    }

    private mutating func helloRefused(_ error: FollowError, at now: Moment) {
        link.welcome = nil
        // Any other refusal would meet the next hello too.
        guard error.code == .busy else { return link.fatal = error }
        link.helloRefusal = error
        link.conversation.putOff(at: now)
    }
}

extension FollowError {
    init(_ refusal: WireRefusal) {
        let code: Code =
            switch RefusalCode(rawValue: refusal.code) {
            case .unknownTask: .noSuchTask
            case .busy, .stopping: .busy
            default: .refused
            }
        self.init(code, refusal.sentence)
    }
}
