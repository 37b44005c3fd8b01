import TaskTree

extension Glyphs {
    /// For terminals whose locale is UTF-8.
    ///
    /// None is an emoji on any system, and where there is a choice none is of ambiguous width. Bars,
    /// plots and frames have no choice: block elements, box lines, the half and full circle and
    /// the ellipsis are ambiguous by the standard, but take one cell everywhere except on a
    /// terminal told to draw them wide for an East Asian encoding, for which there is `ascii`.
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
        partsMirrored: ["╼"],
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
        foldedMirrored: "◂",
        unfolded: "▾",
        cursor: "▌",
        cursorMirrored: "▐",
        empty: "·",
        spanBegin: "├",
        spanEnd: "┤",
        step: "›",
        stepMirrored: "‹"
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
        // A third and two.
        parts: [":", "+"],
        partsMirrored: [":", "+"],
        track: ".",
        pulse: "=",
        // Tenths, as there is nothing that rises.
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
        foldedMirrored: "<",
        unfolded: "v",
        cursor: ">",
        cursorMirrored: "<",
        empty: "-",
        spanBegin: "|",
        spanEnd: "|",
        step: ">",
        stepMirrored: "<"
    )
}
