/// Bytes by name.
enum Byte {
    static let bell: UInt8 = 0x07
    static let backspace: UInt8 = 0x08
    static let tab: UInt8 = 0x09
    static let newline: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let escape: UInt8 = 0x1b
    static let space: UInt8 = 0x20

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isAny(of characters: StaticString, _ byte: UInt8) -> Bool {
        characters.withUTF8Buffer { $0.contains(byte) }
    }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
