package import BusProtocol
package import ZeroMQ

/// Watches whether the broker of a bus with keys lets a socket in.
///
/// A socket that was refused says nothing, and libzmq never tries again. The watch also follows the
/// broker to its next key, which the broker announces in its frames before it changes to it.
package struct HandshakeWatch {
    /// A problem that the owner of the socket has to solve.
    package enum Trouble: Equatable {
        /// The broker cannot be reached; the sentence says why.
        case refused(String)
        /// The broker may have changed to the next key that it announced: connect anew.
        case renewed(Membership)
    }

    /// The keys of the bus; `nil` if it has none.
    private var membership: Membership?
    private let address: String
    /// Failed handshakes since the last successful one.
    private var failures = 0
    /// Whether the socket now tries the next key that the broker announced.
    private var isNextTried = false

    /// Failed handshakes that mean trouble: a broker that begins or ends breaks off one or two.
    private static let patience = 3

    /// Makes the watch; to be called before the socket connects.
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

    /// A socket without a key and a broker with one do not understand each other.
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

    /// Keeps the broker's next key if a frame announces one.
    mutating func hear(_ frame: WireBrokerFrame) {
        guard let next = frame.nextPublicKey, let known = membership, next != known.server,
            next != known.nextServer
        else { return }
        membership?.nextServer = next
        // If the file cannot be written, this process still knows the key.
        try? known.file.change { kept in
            if kept.address == known.address, kept.server == known.server { kept.nextServer = next }
        }
    }

    /// Replaces the broker's key in the file, once a handshake with the next key has succeeded.
    private mutating func keepTried() {
        guard isNextTried, let membership else { return }
        isNextTried = false
        try? membership.file.change { kept in
            if kept.nextServer == membership.server { kept = kept.renewed ?? kept }
        }
    }
}

extension Membership {
    /// Whether these are the keys of an invitation, which has no role yet.
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

    /// The membership with the broker's next key in place of the present one; `nil` if no next key
    /// is known.
    fileprivate var renewed: Membership? {
        guard let nextServer else { return nil }
        var renewed = self
        renewed.server = nextServer
        renewed.nextServer = nil
        return renewed
    }
}
