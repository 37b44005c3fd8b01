import BusProtocol
import TaskTree

/// Hello, heartbeats, and what is due at a time.
extension FollowerMachine {
    /// Does what is due; to be called after every batch of frames, and at `nextTime` at the latest.
    mutating func tick(at now: Moment) {
        greet(at: now)
        chooseTopics(at: now)
        watchTopics(at: now)
        askForSnapshots(at: now)
        sendInquiries(at: now)
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
        switch link.connection {
        case .greeting(let due, _): next = min(next, due)
        case .welcomed(let due): next = min(next, due)
        }
        let isWindowOpen = outstanding.count < window
        for topic in topics.values {
            guard let due = topic.nextTime else { continue }
            // Without room in the window only answers and time-outs matter, and they wake us.
            if due > now {
                next = min(next, due)
            } else if isWindowOpen, link.welcome != nil {
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
        guard link.welcome != nil else { return nil }
        return frame(.goodbye(WireGoodbye()))
    }

    /// A frame could not be sent: there is no connection, or it is full.
    mutating func notSent(_ frame: WireClientFrame, at now: Moment) {
        switch frame.body {
        case .hello:
            // Often at first, while a connection is being made; then about as often as libzmq
            // reconnects.
            link.greetingsFailed = min(link.greetingsFailed + 1, 100)
            let soon = now.advanced(bySeconds: link.greetingsFailed > 25 ? 0.2 : 0.02)
            link.connection = .greeting(due: soon, isSent: false)
        case .heartbeat:
            link.connection = .welcomed(heartbeatDue: now.advanced(bySeconds: 0.1))
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
        switch link.connection {
        case .greeting(let due, _) where due <= now:
            if link.fatal == nil { actions.append(.send(frame(.hello(hello)))) }
            link.connection = .greeting(due: now.advanced(bySeconds: 0.5), isSent: true)
        case .welcomed(let due) where due <= now:
            actions.append(.send(frame(.heartbeat(WireHeartbeat()))))
            link.connection = .welcomed(heartbeatDue: now.advanced(bySeconds: heartbeatLength))
        case .greeting, .welcomed:
            break
        }
    }

    private var heartbeatLength: Double {
        guard let heartbeat = link.welcome?.heartbeat, heartbeat > 0 else { return 1 }
        return min(max(Double(heartbeat) / 1_000, 0.1), 10)
    }

    mutating func receive(_ welcome: WireWelcome, at now: Moment) {
        link.welcome = welcome
        link.helloRefusal = nil
        link.greetingsFailed = 0
        link.welcomedAt = now
        link.answeredAt = now
        link.connection = .welcomed(heartbeatDue: now.advanced(bySeconds: heartbeatLength))
    }

    mutating func receive(_ refusal: WireRefusal, at now: Moment) {
        let code = RefusalCode(rawValue: refusal.code)
        if code == .wrongMajor {
            link.fatal = FollowError(.refused, refusal.sentence)
        } else if let topic = outstanding.removeValue(forKey: refusal.request)?.topic {
            take(topics[topic]?.refused(code, at: now, jitter: &jitter), of: topic, at: now)
        } else if let inquiry = inquiries.removeValue(forKey: refusal.request) {
            actions.append(.answer(inquiry.id, .failed(FollowError(refusal))))
        } else if refusal.request == 0, case .greeting(_, isSent: true) = link.connection {
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
        let due = now.advanced(bySeconds: Self.helloPause + jitter.next(upTo: 0.5))
        link.connection = .greeting(due: due, isSent: true)
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
