import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// Two brokers of a fleet, and what their bridges carry between them.
struct TwoBrokers {
    /// A broker with its bridge.
    struct Side {
        var bus: Bus
        let number: UInt64
        let bridge = Client(90, viewer: true)
        let viewer = Client(91, viewer: true)
        /// How much of what the broker has said was carried.
        var carried = 0

        init(_ bus: Bus, number: UInt64) {
            self.bus = bus
            self.number = number
        }

        /// What the bridge was given since it was asked last.
        fileprivate mutating func takeNews() -> [WireBrokerFrame.OneOf_Body] {
            let news = bus.sent[carried...].filter { $0.route == bridge.route }
            carried = bus.sent.count
            return news.compactMap(\.frame.body)
        }
    }

    var owner: Side
    var agent: Side
    /// Whether anything goes over.
    var isConnected = true
    /// Of the envelopes on the way those are lost for which this is true.
    var isLost: (WireFleetSession) -> Bool = { _ in false }
    /// Whether what brokers answer each other is lost.
    var areAnswersLost = false
    /// Under which numbers requests about detached tasks are passed on.
    private var passedOn: [[UInt8]: UInt64] = [:]

    init(owner: Bus = Bus(), agent: Bus = Bus(ownSession: SessionID(rawValue: 79))) {
        self.owner = Side(owner, number: 41)
        self.agent = Side(agent, number: 42)
        introduce()
    }

    /// Has both bridges and viewers say hello.
    mutating func introduce() {
        for side in [\TwoBrokers.owner, \.agent] {
            self[keyPath: side].bus.control(
                self[keyPath: side].bridge,
                self[keyPath: side].bridge.hello
            )
            self[keyPath: side].bus.control(
                self[keyPath: side].viewer,
                self[keyPath: side].viewer.hello
            )
        }
        sayHeard()
    }

    /// Kills a broker and begins another with what was on disk; the bridges and viewers say hello again.
    mutating func restart(_ side: WritableKeyPath<Self, Side>, clockAhead: Double = 0) {
        self[keyPath: side].bus = self[keyPath: side].bus.restarted(clockAhead: clockAhead)
        self[keyPath: side].carried = 0
        introduce()
    }

    /// Lets time pass on both, while these clients of the agent, and those of the owner, are heard.
    mutating func pass(_ seconds: Double, _ agents: [Client] = [], _ owners: [Client] = []) {
        for tick in 0..<max(1, Int((seconds / 0.05).rounded())) {
            if tick % 10 == 0 {
                sayHeard()
                for client in agents { agent.bus.control(client, .heartbeat(WireHeartbeat())) }
                for client in owners { owner.bus.control(client, .heartbeat(WireHeartbeat())) }
            }
            owner.bus.pass()
            agent.bus.pass()
            carry()
        }
    }

    private mutating func sayHeard() {
        for side in [\TwoBrokers.owner, \.agent] {
            var rows = WireFleetRows()
            rows.broker = side == \.owner ? agent.number : owner.number
            rows.host = side == \.owner ? "agent" : "owner"
            if !isConnected { rows.unheard = 1_800_000_000 }
            self[keyPath: side].bus.control(self[keyPath: side].bridge, .fleetRows(rows))
            let heartbeat = WireClientFrame.OneOf_Body.heartbeat(WireHeartbeat())
            self[keyPath: side].bus.control(self[keyPath: side].viewer, heartbeat)
        }
    }

    /// Carries over what either has for the other, until nothing comes.
    private mutating func carry() {
        for _ in 0..<100 {
            let (fromOwner, fromAgent) = (owner.takeNews(), agent.takeNews())
            guard !fromOwner.isEmpty || !fromAgent.isEmpty else { return }
            guard isConnected else { continue }
            for body in fromOwner { bring(body, from: \.owner, to: \.agent) }
            for body in fromAgent { bring(body, from: \.agent, to: \.owner) }
        }
        Issue.record("the brokers never come to rest")
    }

    private mutating func bring(
        _ body: WireBrokerFrame.OneOf_Body,
        from: WritableKeyPath<TwoBrokers, Side>,
        to: WritableKeyPath<TwoBrokers, Side>
    ) {
        let (sender, receiver) = (self[keyPath: from].number, self[keyPath: to].number)
        switch body {
        case .fleetSession(var said):
            guard said.broker == receiver, !isLost(said) else { return }
            said.broker = sender
            self[keyPath: to].bus.control(self[keyPath: to].bridge, .fleetSession(said))
        case .fleetQuestion(let question):
            guard [0, receiver].contains(question.broker), let asked = question.body else { return }
            if case .detached(let request) = asked {
                passedOn[request.requestIDBytes] = question.number
            }
            self[keyPath: to].bus.control(self[keyPath: to].bridge, asked)
        case .found, .snapshot, .commandResult, .refusal, .detached:
            guard !areAnswersLost, var answer = WireFleetAnswer(body, of: sender) else { return }
            if case .detached(let said) = body {
                answer.number = passedOn[said.requestIDBytes] ?? 0
            }
            self[keyPath: to].bus.control(self[keyPath: to].bridge, .fleetAnswer(answer))
        default: break
        }
    }
}
