import CellScreen

extension CellColor {
    /// The terminal's eight colours in the order of its palette; the bright ones follow them.
    static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// What `init(name:)` understands, for messages.
    static let possibleNames =
        names.joined(separator: ", ") + ", bright- before any of them, or a number from 0 to 255"

    /// The colour called so: a name, `bright-` and a name, or its number in the palette of 256.
    init?(name: String) {
        // A tint comes from somebody else: nothing is gained by reading all of a long one.
        guard name.utf8.count <= 16 else { return nil }
        let brightness = "bright-"
        let isBright = name.hasPrefix(brightness)
        let base = isBright ? String(name.dropFirst(brightness.count)) : name
        if let index = Self.names.firstIndex(of: base) {
            self = .indexed(UInt8(index) + (isBright ? 8 : 0))
        } else if name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = UInt8(name) {
            self = .indexed(index)
        } else {
            return nil
        }
    }
}
