package import BusProtocol
package import ZeroMQ

/// Whether the broker of a bus with keys lets a socket in: libzmq itself says nothing, and after a
/// refusal never tries again.
///
/// It also follows the broker from one key to the next, which the broker says while both are known.
package struct HandshakeWatch {
    /// What its owner has to do something about.
    package enum Trouble: Equatable {
        /// The broker is not reached, for the reason in the sentence.
        case refused(String)
        /// The broker may have the key by now that it said would be the next: connect anew.
        case renewed(Membership)
    }

    /// Nil where there are no keys.
    private var membership: Membership?
    private let address: String
    /// Handshakes that have failed since the last one that did not.
    private var failures = 0
    /// Whether the broker is tried with a key of which its file says that it comes next.
    private var isNextTried = false

    /// A broker that is about to end, or has just begun, breaks off a handshake or two.
    private static let patience = 3

    /// To be made before the socket connects.
    package init(
        _ socket: inout ZeroMQSocket,
        of endpoint: BusEndpoint,
        in context: ZeroMQContext
    ) throws(ZeroMQError) {
        membership = endpoint.membership
        address = endpoint.controlAddress
        guard case .tcp = endpoint.kind else { return }
        try socket.keep([.handshakeDone, .handshakeFailed, .refused], in: context)
    }

    /// Why the broker is not reached; `nil` while it may be.
    package mutating func trouble(of socket: borrowing ZeroMQSocket) -> Trouble? {
        guard let membership else { return troubleWithoutKey(of: socket) }
        while let event = try? socket.nextEvent() {
            if event == .handshakeDone {
                failures = 0
                keepTried()
            }
            if event == .refused {
                return .refused(membership.notLetIn)
            }
            if event == .notUnderstood {
                failures = Self.patience
            } else if !event.isDisjoint(with: .handshakeFailed) {
                failures += 1
            }
        }
        guard failures >= Self.patience else { return nil }
        failures = 0
        if !isNextTried, let next = membership.renewed {
            isNextTried = true
            self.membership = next
            return .renewed(next)
        }
        return .refused(membership.notTheBroker)
    }

    /// Who has no key does not understand a broker that has one, and the other way round.
    private func troubleWithoutKey(of socket: borrowing ZeroMQSocket) -> Trouble? {
        while let event = try? socket.nextEvent() {
            guard event == .notUnderstood else { continue }
            return .refused(
                "What answers at \(address) is no broker, or one that speaks with members alone. Name "
                    + "the bus instead of its address if you have joined it; else ask an admin for an "
                    + "invitation, and give it to `progressbus join`."
            )
        }
        return nil
    }

    /// Keeps the key that the broker will have next, where a frame says one.
    mutating func hear(_ frame: WireBrokerFrame) {
        guard let next = frame.nextPublicKey, let known = membership, next != known.server,
            next != known.nextServer
        else { return }
        membership?.nextServer = next
        // Where the file cannot be written this process knows it all the same.
        try? known.file.change { kept in
            if kept.address == known.address, kept.server == known.server { kept.nextServer = next }
        }
    }

    /// The broker has proved that the next key is its own by now.
    private mutating func keepTried() {
        guard isNextTried, let membership else { return }
        isNextTried = false
        try? membership.file.change { kept in
            if kept.nextServer == membership.server { kept = kept.renewed ?? kept }
        }
    }
}

extension Membership {
    /// A member has a role; what joins by an invitation has none yet.
    private var isInvitation: Bool { role == nil }

    /// Why the broker does not let this key in.
    fileprivate var notLetIn: String {
        isInvitation
            ? "The broker at \(address) does not let this invitation in: it was revoked, or has "
                + "expired. Ask an admin for another one."
            : "The bus \(bus) does not let this key in: it was revoked, or has expired. Ask an admin "
                + "for an invitation, and give it to `progressbus join`."
    }

    /// Why what answers is not the broker.
    fileprivate var notTheBroker: String {
        "What answers at \(address) is not the broker of the bus \(bus): it has another key, or none. "
            + (isInvitation
                ? "If its key was renewed since this invitation was made, ask an admin for another one."
                : "If its key was renewed while this member was away, ask an admin for an "
                    + "invitation, and give it to `progressbus join --replace`.")
    }

    /// With the key of the broker that comes next in place of the one it has; `nil` without one.
    fileprivate var renewed: Membership? {
        guard let nextServer else { return nil }
        var renewed = self
        renewed.server = nextServer
        renewed.nextServer = nil
        return renewed
    }
}
