import BusProtocol

/// One frame and nothing but its decoder, which is many times faster than what a broker or a
/// follower then does with it.
enum Frames {
    /// What is taken must mean the same when it is sent on.
    static func play<Message: Equatable>(
        _ input: [UInt8],
        _ decode: ([UInt8]) throws(ProtocolViolation) -> Message,
        _ encode: (Message) -> [UInt8]
    ) {
        do throws(ProtocolViolation) {
            let message = try decode(input)
            promise(again(encode(message), decode) == message, "\(message)")
        } catch {
            promise(!error.sentence.isEmpty, "a refusal without words")
        }
    }

    private static func again<Message>(
        _ bytes: [UInt8],
        _ decode: ([UInt8]) throws(ProtocolViolation) -> Message
    ) -> Message? {
        try? decode(bytes)
    }
}
