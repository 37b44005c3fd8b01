extension WireFleetQuestion {
    /// Stands for all brokers in `broker`; only the one that has the task answers.
    package static let allBrokers: UInt64 = 0
    package var isForAll: Bool { broker == Self.allBrokers }

    /// Asks all brokers for the task that a text names.
    package init(toAll text: String) {
        self.init()
        find.text = text
    }

    /// Makes the question to another broker from a client's frame; `nil` if the frame asks nothing
    /// of the kind.
    package init?(_ body: WireClientFrame.OneOf_Body, to broker: UInt64) {
        self.init()
        self.broker = broker
        switch body {
        case .snapshot(let request): snapshot = request
        case .find(let request): find = request
        case .command(let request): command = request
        case .detached(let request): detached = request
        default: return nil
        }
    }

    /// The frame in which a client asks it; `nil` for a question of a newer version.
    package var body: WireClientFrame.OneOf_Body? {
        switch question {
        case .snapshot(let request): .snapshot(request)
        case .find(let request): .find(request)
        case .command(let request): .command(request)
        case .detached(let request): .detached(request)
        case nil: nil
        }
    }

    /// The number of the request; 0 for none.
    package var request: UInt64 {
        get { detached.operation == nil ? body?.request ?? 0 : number }
        set {
            switch question {
            case .snapshot: snapshot.request = newValue
            case .find: find.request = newValue
            case .command: command.request = newValue
            case .detached: number = newValue
            case nil: break
            }
        }
    }
}

extension WireFleetAnswer {
    /// Makes an answer from a broker's frame; `nil` if the frame answers no question of a fleet.
    package init?(_ body: WireBrokerFrame.OneOf_Body?, of broker: UInt64) {
        self.init()
        self.broker = broker
        switch body {
        case .refusal(let answer): refusal = answer
        case .snapshot(let answer): snapshot = answer
        case .found(let answer): found = answer
        case .commandResult(let answer): commandResult = answer
        case .detached(let answer): detached = answer
        default: return nil
        }
    }

    /// The frame in which a broker says it; `nil` for an answer of a newer version.
    package var body: WireBrokerFrame.OneOf_Body? {
        switch answer {
        case .refusal(let answer): .refusal(answer)
        case .snapshot(let answer): .snapshot(answer)
        case .found(let answer): .found(answer)
        case .commandResult(let answer): .commandResult(answer)
        case .detached(let answer): .detached(answer)
        case nil: nil
        }
    }

    /// The number of the request that it answers; 0 for none.
    package var request: UInt64 {
        get {
            switch answer {
            case .refusal(let answer): answer.request
            case .snapshot(let answer): answer.request
            case .found(let answer): answer.request
            case .commandResult(let answer): answer.request
            case .detached: number
            case nil: 0
            }
        }
        set {
            switch answer {
            case .refusal: refusal.request = newValue
            case .snapshot: snapshot.request = newValue
            case .found: found.request = newValue
            case .commandResult: commandResult.request = newValue
            case .detached: number = newValue
            case nil: break
            }
        }
    }

    /// Whether no other answer to the same request follows.
    package var isLast: Bool {
        if case .commandResult(let result) = answer { result.last } else { true }
    }
}
