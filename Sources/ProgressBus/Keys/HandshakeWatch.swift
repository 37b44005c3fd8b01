import BusProtocol
import ZeroMQ

/// Whether the broker of a bus with keys lets a socket in: libzmq itself says nothing, and after a
/// refusal never tries again.
struct HandshakeWatch {
    /// Nil where there are no keys.
    private let membership: Membership?
    /// Handshakes that have failed since the last one that did not.
    private var failures = 0

    /// A broker that is about to end, or has just begun, breaks off a handshake or two.
    private static let patience = 3

    /// To be made before the socket connects.
    init(
        _ socket: inout ZeroMQSocket,
        of endpoint: BusEndpoint,
        in context: ZeroMQContext
    ) throws(ZeroMQError) {
        membership = endpoint.membership
        guard membership != nil else { return }
        try socket.keep([.handshakeDone, .handshakeFailed, .refused], in: context)
    }

    /// Why the broker is not reached, for a person to read; `nil` while it may be.
    mutating func trouble(of socket: borrowing ZeroMQSocket) -> String? {
        guard let membership else { return nil }
        while let event = try? socket.nextEvent() {
            if event == .handshakeDone { failures = 0 }
            if event == .refused {
                return "The bus \(membership.bus) does not let this key in: it was revoked, or has "
                    + "expired. Ask an admin for an invitation, and give it to `progressbus join`."
            }
            if !event.isDisjoint(with: .handshakeFailed) { failures += 1 }
        }
        guard failures >= Self.patience else { return nil }
        return "What answers at \(membership.address) is not the broker of the bus "
            + "\(membership.bus): it has another key, or none. If its key has changed, join anew."
    }
}
