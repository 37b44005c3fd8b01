import CNats

/// A failed call of libnats.
struct NATSError: Error, CustomStringConvertible {
    let status: natsStatus
    let call: String

    var description: String {
        "\(call): \(natsStatus_GetText(status).map { String(cString: $0) } ?? "unknown")"
    }
}

extension natsStatus {
    /// Throws if the status of a call is not success.
    func check(_ call: String) throws(NATSError) {
        guard self == NATS_OK else { throw NATSError(status: self, call: call) }
    }
}
