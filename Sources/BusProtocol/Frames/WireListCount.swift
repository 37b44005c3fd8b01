/// Counts the entries of a client's lists before anything is decoded.
///
/// A sub-message costs some hundred bytes of memory and may be two bytes on the wire, so that the
/// size of a frame alone does not bound what decoding it takes.
struct WireListCount {
    /// The fields of the counted lists.
    var fields: Set<UInt64> = []
    /// Fields of messages that have counted lists, with the fields of those lists.
    var inside: [UInt64: Set<UInt64>] = [:]

    /// Descriptions, states, folds and log lines.
    static let report = WireListCount(fields: [20, 21, 22, 23])
    /// Endings and folds of `Endings`; rows and jobs removed of `FleetRows`.
    static let client = WireListCount(inside: [4: [2, 3], 16: [3, 4]])

    func check(_ bytes: [UInt8], from start: Int) throws(ProtocolViolation) {
        let count = count(bytes[start...], fields, inside)
        guard count <= ProtocolLimits.listItems else {
            throw ProtocolViolation(
                .tooMany,
                "The frame lists more than \(ProtocolLimits.listItems) descriptions, state"
                    + " changes, endings, folds, log lines and rows: send them in several frames."
            )
        }
    }

    /// Stops quietly where the bytes are no longer protobuf: the decoder will say so.
    private func count(
        _ bytes: ArraySlice<UInt8>,
        _ fields: Set<UInt64>,
        _ inside: [UInt64: Set<UInt64>]
    ) -> Int {
        var rest = bytes
        var count = 0
        while let tag = rest.takeVarint() {
            switch tag & 7 {
            case 0:
                guard rest.takeVarint() != nil else { return count }
            case 1:
                guard rest.count >= 8 else { return count }
                rest.removeFirst(8)
            case 2:
                guard let length = rest.takeVarint(), length <= UInt64(rest.count) else {
                    return count
                }
                let content = rest.prefix(Int(length))
                rest.removeFirst(Int(length))
                count += fields.contains(tag >> 3) ? 1 : 0
                if let lists = inside[tag >> 3] { count += self.count(content, lists, [:]) }
            case 5:
                guard rest.count >= 4 else { return count }
                rest.removeFirst(4)
            case 3, 4:
                // Groups are not used; what is in one is unknown to the decoder too.
                continue
            default:
                return count
            }
        }
        return count
    }
}

extension ArraySlice<UInt8> {
    /// Takes a protobuf varint of at most ten bytes off the front.
    fileprivate mutating func takeVarint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 70, let byte = popFirst() {
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
