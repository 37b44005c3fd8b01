import BusProtocol

/// What a bridge remembers of its broker: its number in the fleet, and its pages in their order.
///
/// Two lines, `broker 0123456789abcdef` and `pages 3 0 7`.
struct FleetFile {
    private let file: PrivateFile
    private(set) var broker: UInt64
    private(set) var pages: [Int]
    private static let limit = 16_384

    /// Reads the file, or writes a new one if there is none or its number is not the given one.
    init(_ path: String, broker given: UInt64?) throws(PrivateFile.Failure) {
        file = PrivateFile(path)
        (broker, pages) = (given ?? .random(in: 1 ... .max), [])
        do throws(PrivateFile.Failure) {
            let bytes = try file.read(limit: Self.limit)
            guard let (broker, pages) = Self.parse(String(decoding: bytes, as: UTF8.self)) else {
                throw PrivateFile.Failure.unsafe("it cannot be read: remove it")
            }
            guard given != nil, given != broker else {
                (self.broker, self.pages) = (broker, pages)
                return
            }
        } catch {
            guard error == .missing else { throw error }
        }
        try save(pages: [])
    }

    mutating func save(pages: [Int]) throws(PrivateFile.Failure) {
        self.pages = pages
        let list = pages.map { " \($0)" }.joined()
        try file.write(Array("broker \(String(broker, radix: 16))\npages\(list)\n".utf8))
    }

    private static func parse(_ text: String) -> (broker: UInt64, pages: [Int])? {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard lines.count == 2, lines[0].count == 2, lines[0][0] == "broker",
            let broker = UInt64(lines[0][1], radix: 16), broker != 0, lines[1].first == "pages"
        else { return nil }
        let pages = lines[1].dropFirst().map { Int($0) }
        let valid = pages.compactMap { $0 }.filter { $0 >= 0 && $0 < ProtocolLimits.fleetPages }
        guard valid.count == pages.count, Set(valid).count == valid.count else { return nil }
        return (broker, valid)
    }
}
