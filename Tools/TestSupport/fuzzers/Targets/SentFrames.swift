import BusProtocol

/// Whatever came in, what a broker sends keeps the protocol, and no frame is above the limit.

extension WireBrokerFrame {
    /// The frame as whoever receives it reads it.
    func arriving(within limit: Int) -> WireBrokerFrame {
        let bytes = Frame.encode(self)
        // Bounded by the number of its tasks, of which so small a frame may not have room for all.
        if case .found? = body { return read(bytes, Frame.decodeBroker) }
        promise(bytes.count <= limit, "\(bytes.count) bytes: \(self)")
        return read(bytes, Frame.decodeBroker)
    }
}

extension WireUpdate {
    /// Looks at the update as whoever receives it does.
    func checkArriving(within limit: Int) {
        let bytes = Frame.encode(self)
        promise(bytes.count <= limit, "\(bytes.count) bytes: \(self)")
        _ = read(bytes, Frame.decodeUpdate)
    }
}

private func read<Message>(
    _ bytes: [UInt8],
    _ decode: ([UInt8]) throws(ProtocolViolation) -> Message
) -> Message {
    do {
        return try decode(bytes)
    } catch {
        // A finding is a process that ends, as where a promise is broken.
        fatalError("broken promise: what the broker sends is refused: \(error)")
    }
}
