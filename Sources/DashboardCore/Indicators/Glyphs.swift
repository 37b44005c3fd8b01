package import TaskTree

/// The characters that indicators and frames are made of; each takes one cell.
package struct Glyphs: Equatable, Sendable {
    /// The lines around a dialog, named by the side where reading begins.
    package struct Box: Equatable, Sendable {
        package var horizontal, vertical: Unicode.Scalar
        package var topLeading, topTrailing, bottomLeading, bottomTrailing: Unicode.Scalar
    }

    /// For each condition a task can be in: its mark by phase, and its cell in the mosaic.
    var marks: [TaskCondition: [Unicode.Scalar]]
    var mosaicCells: [TaskCondition: Unicode.Scalar]
    /// A circle of unknown progress, by phase.
    var circle: [Unicode.Scalar]
    /// A circle of known progress: nothing, three quarters in clockwise order, all.
    var ring: [Unicode.Scalar]
    /// A full cell of a bar; it leaves the rows above and below apart.
    package var block: Unicode.Scalar
    /// A cell of a bar that is filled in part, in rising steps.
    var parts: [Unicode.Scalar]
    package var track: Unicode.Scalar
    package var pulse: Unicode.Scalar
    /// A bar of one cell, nearly empty to nearly full.
    var cellBar: [Unicode.Scalar]
    /// The pulse of a bar of one cell, by phase.
    var cellPulse: [Unicode.Scalar]
    /// One to eight eighths of the height of a cell; the last is full.
    package var plotLevels: [Unicode.Scalar]
    package var ellipsis: String
    package var box: Box
    /// Before a row whose children are not shown.
    package var folded: Unicode.Scalar
    /// Before a row whose children are shown.
    package var unfolded: Unicode.Scalar
    /// At the beginning of the row of the cursor.
    var cursor: Unicode.Scalar
    /// Marks a place without a task.
    var empty: Unicode.Scalar
    /// The ends of a line that says when something ran.
    var spanBegin, spanEnd: Unicode.Scalar
    /// Between the steps of a path.
    var step: Unicode.Scalar

    /// The same for a grid whose columns are counted from the right.
    package var mirrored: Glyphs {
        var other = self
        func image(_ glyph: Unicode.Scalar) -> Unicode.Scalar { Self.images[glyph] ?? glyph }
        (other.parts, other.folded) = (parts.map(image), image(folded))
        (other.cursor, other.step) = (image(cursor), image(step))
        (other.spanBegin, other.spanEnd) = (spanEnd, spanBegin)
        (other.box.topLeading, other.box.topTrailing) = (box.topTrailing, box.topLeading)
        (other.box.bottomLeading, other.box.bottomTrailing) = (
            box.bottomTrailing, box.bottomLeading
        )
        return other
    }

    private static let images: [Unicode.Scalar: Unicode.Scalar] = [
        "╾": "╼", "▸": "◂", "▌": "▐", "›": "‹", ">": "<",
    ]

    /// The mark of a condition; only the marks of work that goes on change with the phase.
    package func mark(of condition: TaskCondition, phase: Int) -> Unicode.Scalar {
        (marks[condition] ?? []).at(phase: phase)
    }

    /// The mosaic cell of a condition; that of a running task shows its progress from an eighth on.
    package func mosaicCell(of condition: TaskCondition, eighths: Int = 0) -> Unicode.Scalar {
        condition == .running && eighths > 0
            ? cellBar(fraction: Double(eighths) / 8) : mosaicCells[condition] ?? " "
    }

    /// The bar of one cell, filled to a fraction.
    func cellBar(fraction: Double) -> Unicode.Scalar {
        let steps = BarFill.steps(fraction, of: cellBar.count + 1, isComplete: false)
        return cellBar[max(steps - 1, 0)]
    }

    /// The circle filled to a fraction: full only if it is complete, and not empty once something
    /// is done.
    package func ring(fraction: Double, isComplete: Bool) -> Unicode.Scalar {
        ring[BarFill.steps(fraction, of: ring.count - 1, isComplete: isComplete)]
    }
}

extension [Unicode.Scalar] {
    /// The frame of an animation, whatever the phase.
    func at(phase: Int) -> Unicode.Scalar {
        isEmpty ? " " : self[phase.modulo(count)]
    }
}

extension Int {
    /// The remainder that is never negative; 0 where there is none.
    func modulo(_ divisor: Int) -> Int {
        guard divisor > 0 else { return 0 }
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Glyphs {
    /// For terminals whose locale is UTF-8.
    ///
    /// None of them is an emoji on any system, and where there is a choice none has an ambiguous
    /// width. Bars, plots and frames have no choice: block elements, box lines, the half and full
    /// circle and the ellipsis are ambiguous by the standard, but take one cell everywhere except
    /// on a terminal told to draw them wide for an East Asian encoding, for which there is `ascii`.
    package static let unicode = Glyphs(
        marks: [
            .waiting: ["⋯"], .running: ["⠇", "⠋", "⠙", "⠸", "⠴", "⠦"], .stalled: ["!"],
            // Two bars: U+2016 and U+23F8 would be an ambiguous one and an emoji.
            .silent: ["?"], .paused: ["ǁ"], .cancelling: ["x", "+"], .succeeded: ["✓"],
            .failed: ["✗"], .cancelled: ["⊘"], .lost: ["↯"],
        ],
        mosaicCells: [
            .waiting: "∙", .running: "▯", .stalled: "!", .silent: "?", .paused: "ǁ",
            .cancelling: "x", .succeeded: "▮", .failed: "✗", .cancelled: "⊘", .lost: "↯",
        ],
        circle: ["◜", "◝", "◞", "◟"],
        ring: ["○", "◔", "◑", "◕", "●"],
        block: "━",
        parts: ["╾"],
        track: "─",
        pulse: "┅",
        cellBar: ["▁", "▂", "▃", "▄", "▅", "▆", "▇"],
        cellPulse: ["⡀", "⠄", "⠂", "⠁", "⠂", "⠄"],
        plotLevels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        ellipsis: "…",
        box: Box(
            horizontal: "─",
            vertical: "│",
            topLeading: "┌",
            topTrailing: "┐",
            bottomLeading: "└",
            bottomTrailing: "┘"
        ),
        folded: "▸",
        unfolded: "▾",
        cursor: "▌",
        empty: "·",
        spanBegin: "├",
        spanEnd: "┤",
        step: "›"
    )

    /// For all others.
    ///
    /// No character stands for two things that can be in the same place.
    package static let ascii = Glyphs(
        marks: [
            .waiting: ["."], .running: ["|", "/", "-", "\\"], .stalled: ["!"], .silent: ["?"],
            .paused: ["="], .cancelling: ["x", "+"], .succeeded: ["*"], .failed: ["F"],
            .cancelled: ["C"], .lost: ["L"],
        ],
        mosaicCells: [
            .waiting: ".", .running: "o", .stalled: "!", .silent: "?", .paused: "=",
            .cancelling: "x", .succeeded: "#", .failed: "F", .cancelled: "C", .lost: "L",
        ],
        circle: ["|", "/", "-", "\\"],
        ring: ["_", "c", "o", "O", "@"],
        block: "#",
        // One third and two thirds.
        parts: [":", "+"],
        track: ".",
        pulse: "=",
        // Digits for tenths, as ASCII has no rising bars.
        cellBar: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        cellPulse: ["<", "^", ">", "v"],
        plotLevels: [".", ".", ":", ":", "+", "+", "#", "#"],
        // One cell, where three dots would leave nothing of a narrow field.
        ellipsis: "~",
        box: Box(
            horizontal: "-",
            vertical: "|",
            topLeading: "+",
            topTrailing: "+",
            bottomLeading: "+",
            bottomTrailing: "+"
        ),
        folded: ">",
        unfolded: "v",
        cursor: ">",
        empty: "-",
        spanBegin: "|",
        spanEnd: "|",
        step: ">"
    )
}

/// How much of something is filled, in whole steps.
enum BarFill {
    /// All steps only if it is complete, and at least one once anything is done.
    static func steps(_ fraction: Double, of all: Int, isComplete: Bool) -> Int {
        guard !isComplete else { return all }
        // A fraction that is not a number counts as nothing.
        guard all > 1, fraction > 0 else { return 0 }
        // The addition keeps a fraction that binary numbers cannot hold from losing a step.
        let filled = Int((min(fraction, 1) * Double(all) + 1e-9).rounded(.down))
        return min(max(filled, 1), all - 1)
    }

    /// Where the pulse of an unknown amount begins, which moves to and fro between the ends.
    static func pulseStart(phase: Int, width: Int, length: Int) -> Int {
        let way = max(width - length, 0)
        let place = phase.modulo(way * 2)
        return place <= way ? place : way * 2 - place
    }
}
