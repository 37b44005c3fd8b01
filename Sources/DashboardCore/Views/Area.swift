/// A part of the screen.
struct Area: Equatable, Sendable {
    var column = 0
    var row = 0
    var width = 0
    var height = 0

    var field: Field { Field(start: column, width: width) }
}

/// Columns of a row; a width of 0 is a field that is not there.
struct Field: Equatable, Sendable {
    var start = 0
    var width = 0

    var end: Int { start + width }

    /// The field without its first columns.
    func dropping(_ count: Int) -> Field {
        Field(start: start + count, width: max(width - count, 0))
    }

    /// From the beginning of this field to the end of another.
    func upTo(_ other: Field) -> Field {
        width > 0 ? Field(start: start, width: other.end - start) : other
    }
}
