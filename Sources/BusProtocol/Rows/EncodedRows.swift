/// Rows as bytes, each a message by itself: what they are listed in adds their tags and lengths.
package struct EncodedRows: Sendable {
    private var writer = MessageWriter()
    /// Where each row ends.
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }

    package mutating func append(_ row: Row) {
        row.write(to: &writer)
        ends.append(writer.bytes.count)
    }

    /// Some of the rows, as a field that repeats: appended to the message that lists them.
    func write(_ rows: Range<Int>, as field: UInt64, to message: inout [UInt8]) {
        var start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1]
        for end in ends[rows] {
            message.appendVarint(field << 3 | 2)
            message.appendVarint(UInt64(end - start))
            message.append(contentsOf: writer.bytes[start..<end])
            start = end
        }
    }

    /// What `write` appends at most.
    func size(of rows: Range<Int>) -> Int {
        guard let last = rows.last else { return 0 }
        let start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1]
        return ends[last] - start + rows.count * 11
    }
}
