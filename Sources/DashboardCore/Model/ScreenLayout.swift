/// Where things are on the screen, which depends only on its size and on the open panes.
struct ScreenLayout: Equatable, Sendable {
    var header = Area()
    /// The names of the columns of the body; empty on a low screen.
    var heads = Area()
    var body = Area()
    /// The details or the messages; empty while closed.
    var pane = Area()
    /// The messages of the job below its tree, on a large screen.
    var log = Area()
    var footer = Area()

    /// From this width on a pane is beside the body, not below it.
    static let paneBesideFrom = 160
    /// From this many rows on, one row has the names of the columns.
    static let headsFrom = 16

    /// From this size on the messages of a job are below its tree without being asked for.
    static let logFrom = (columns: 120, rows: 40)

    init(columns: Int, rows: Int, hasPane: Bool, hasLog: Bool) {
        // On a low screen the body matters more than the header and the footer.
        let headerHeight = rows >= 3 ? 1 : 0
        let footerHeight = rows >= 4 ? 1 : 0
        header = Area(column: 0, row: 0, width: columns, height: headerHeight)
        footer = Area(column: 0, row: rows - footerHeight, width: columns, height: footerHeight)
        let headsHeight = rows >= Self.headsFrom ? 1 : 0
        heads = Area(column: 0, row: headerHeight, width: columns, height: headsHeight)
        body = Area(
            column: 0,
            row: headerHeight + headsHeight,
            width: columns,
            height: rows - headerHeight - headsHeight - footerHeight
        )
        placePane(hasPane, columns)
        guard hasLog, columns >= Self.logFrom.columns, rows >= Self.logFrom.rows,
            pane.row <= body.row
        else { return }
        let height = rows / 6
        body.height -= height
        let row = body.row + body.height
        log = Area(column: 0, row: row, width: body.width, height: height)
    }

    private mutating func placePane(_ hasPane: Bool, _ columns: Int) {
        guard hasPane, body.height >= 4 else { return }
        if columns >= Self.paneBesideFrom {
            let width = columns * 2 / 5
            pane = Area(
                column: columns - width,
                row: heads.row,
                width: width,
                height: heads.height + body.height
            )
            // One column is for the rule between the two.
            body.width -= width + 1
            heads.width = body.width
        } else {
            let height = min(max(body.height / 3, 6), body.height - 2)
            body.height -= height
            pane = Area(column: 0, row: body.row + body.height, width: columns, height: height)
        }
    }
}

extension Int {
    /// The new first line of a list that began with this one, scrolled just enough to show the
    /// cursor.
    func scrolled(to cursor: Int, height: Int, of count: Int = .max) -> Int {
        let height = Swift.max(height, 1)
        let first = Swift.max(Swift.min(self, cursor), cursor - height + 1)
        return Swift.min(Swift.max(first, 0), Swift.max(count - height, 0))
    }
}

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

    /// From the beginning of this field to the end of another; the other one if this is empty.
    func upTo(_ other: Field) -> Field {
        width > 0 ? Field(start: start, width: other.end - start) : other
    }
}
