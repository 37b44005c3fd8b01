/// Links in the text of a grid, for terminals that support them.
extension CellGrid {
    /// Cells of a row that belong to one link, in physical columns.
    package struct LinkedCells: Equatable, Sendable {
        package var columns: Range<Int>
        package var target: String
    }

    /// The most links of a grid, as a cell names its link by one byte.
    private static let mostLinks = Int(UInt8.max)
    /// The fewest characters of an address that make a link where the field cuts it.
    private static let leastCut = 12

    /// Makes links of these addresses where a field shows them.
    ///
    /// An address that is cut at the end of the field is a link to the whole address.
    package mutating func link(_ targets: [String], column: Int, row: Int, width: Int) {
        guard let field = field(column, row, width) else { return }
        // The longest first, as one may begin with another.
        let targets = targets.sorted { $0.utf8.count > $1.utf8.count }
        for target in targets { link(target, in: field, cut: false) }
        for target in targets { link(target, in: field, cut: true) }
    }

    private mutating func link(_ target: String, in field: Range<Int>, cut: Bool) {
        let letters = Array(target.unicodeScalars)
        var start = field.lowerBound
        while start < field.upperBound {
            let shown = cells[start..<field.upperBound]
            let same = zip(shown, letters).prefix { $0.scalar == $1 && $0.style.link == 0 }
            let end = start + same.count
            let isLink =
                cut
                ? same.count >= Self.leastCut && isEnd(end, of: field)
                : same.count == letters.count
            if isLink { mark(start..<end, with: target) }
            start = max(end, start + 1)
        }
    }

    /// Whether only blanks follow in a field, or one character and blanks: the ellipsis of a cut
    /// text.
    private func isEnd(_ index: Int, of field: Range<Int>) -> Bool {
        cells[index..<field.upperBound].dropFirst().allSatisfy { $0.scalar == " " }
    }

    private mutating func mark(_ field: Range<Int>, with target: String) {
        let place = links.firstIndex(of: target) ?? links.count
        guard place < Self.mostLinks else { return }
        if place == links.count { links.append(target) }
        for index in field {
            cells[index].style.link = UInt8(place + 1)
            cells[index].style.attributes.insert(.underline)
        }
    }

    /// The links in a row, from left to right.
    package func linkedCells(row: Int) -> [LinkedCells] {
        guard !links.isEmpty else { return [] }
        let marks = cells(row: row).map(\.style.link)
        var found: [LinkedCells] = []
        var start = 0
        while start < marks.count {
            let count = marks[start...].prefix { $0 == marks[start] }.count
            if marks[start] > 0 {
                let target = links[Int(marks[start]) - 1]
                found.append(LinkedCells(columns: start..<start + count, target: target))
            }
            start += count
        }
        return found
    }
}
