import CNats

/// What libnats has refused.
struct NATSError: Error, CustomStringConvertible {
    let status: natsStatus
    let call: String

    var description: String {
        "\(call): \(natsStatus_GetText(status).map { String(cString: $0) } ?? "unknown")"
    }

    /// Throws where a call has not succeeded.
    static func check(_ status: natsStatus, _ call: String) throws(NATSError) {
        guard status == NATS_OK else { throw NATSError(status: status, call: call) }
    }
}
