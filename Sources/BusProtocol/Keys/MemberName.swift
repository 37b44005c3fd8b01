/// What a member of a bus with keys is called.
package enum MemberName {
    package static let rule = "1 to 64 letters, digits and . _ - @"

    package static func isValid(_ name: some StringProtocol) -> Bool {
        (1...ProtocolLimits.memberNameBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy(isAllowed)
    }

    /// The valid name that is closest to a wish, which is usually `user@host`.
    package static func from(_ wish: String) -> String {
        let start = wish.utf8.prefix(ProtocolLimits.memberNameBytes)
        let letters = start.map { isAllowed($0) ? $0 : 0x2d }
        return letters.isEmpty ? "member" : String(decoding: letters, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "._-@".utf8.contains(byte)
    }
}
