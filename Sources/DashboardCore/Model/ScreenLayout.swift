/// Where things are on the screen; depends on its size and on which panes are open, on nothing else.
struct ScreenLayout: Equatable, Sendable {
    struct Area: Equatable, Sendable {
        var column = 0
        var row = 0
        var width = 0
        var height = 0
    }

    var header = Area()
    var body = Area()
    /// The details or the messages; empty while closed.
    var pane = Area()
    var footer = Area()

    /// From this width on a pane is beside the body, not below it.
    static let paneBesideFrom = 160

    init(columns: Int, rows: Int, hasPane: Bool) {
        let columns = max(columns, 0)
        let rows = max(rows, 0)
        // What is shown matters more than what is said about it.
        let headerHeight = rows >= 3 ? 1 : 0
        let footerHeight = rows >= 4 ? 1 : 0
        header = Area(column: 0, row: 0, width: columns, height: headerHeight)
        footer = Area(column: 0, row: rows - footerHeight, width: columns, height: footerHeight)
        body = Area(
            column: 0,
            row: headerHeight,
            width: columns,
            height: rows - headerHeight - footerHeight
        )
        guard hasPane, body.height >= 4 else { return }
        if columns >= Self.paneBesideFrom {
            let width = columns / 2
            pane = Area(column: columns - width, row: body.row, width: width, height: body.height)
            body.width -= width
        } else {
            let height = min(max(body.height / 3, 6), body.height - 2)
            body.height -= height
            pane = Area(column: 0, row: body.row + body.height, width: columns, height: height)
        }
    }
}
