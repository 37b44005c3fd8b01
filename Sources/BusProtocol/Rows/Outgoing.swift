/// A message to be sent: all of it but its rows, and those as bytes.
package struct Outgoing<Message: Sendable>: Sendable {
    package var message: Message
    private var encoded = EncodedRows()
    private var range = 0..<0

    package init(_ message: Message) {
        self.message = message
    }

    /// With some of these rows.
    package init(_ message: Message, _ rows: Range<Int>, of encoded: EncodedRows) {
        self.message = message
        self.encoded = encoded
        range = rows
    }

    package var rowCount: Int { range.count }

    func writeRows(as field: UInt64, to bytes: inout [UInt8]) {
        encoded.write(range, as: field, to: &bytes)
    }

    var rowSize: Int { encoded.size(of: range) }
}
