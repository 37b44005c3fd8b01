package import CellScreen
package import ProgressBus
import TaskTree

/// How everything on the dashboard looks, apart from the characters it is made of.
package struct Theme: Equatable, Sendable {
    /// What a part of the screen is for.
    package enum Role: Hashable, Sendable, CaseIterable {
        case text
        case title
        /// Secondary text: units, ends, hints.
        case faint
        case header
        case footer
        /// The name of a key in the footer.
        case key
        case cursor
        /// The part of a bar that is not filled.
        case track
        /// The part of a bar or ring that is filled, where nothing is wrong and no tint is set.
        case fill
        case attention
        case dialog
        case button
        case chosenButton
        case message
        case plot
        /// A row that does not match the filter.
        case filtered

        /// One for each condition of a task, of the same name.
        case waiting, running, stalled, silent, paused, cancelling
        case succeeded, failed, cancelled, lost

        init(_ condition: TaskCondition) {
            self =
                switch condition {
                case .waiting: .waiting
                case .running: .running
                case .stalled: .stalled
                case .silent: .silent
                case .paused: .paused
                case .cancelling: .cancelling
                case .succeeded: .succeeded
                case .failed: .failed
                case .cancelled: .cancelled
                case .lost: .lost
                }
        }

        /// How a theme file calls it.
        package var name: String { self == .chosenButton ? "chosen-button" : "\(self)" }
    }

    /// The attributes that would turn the thin lines of a bar into blocks.
    private static let blocks: CellStyle.Attributes = [.reverse, .underline]

    /// The styles of the roles; a role without one is plain.
    var styles: [Role: CellStyle]
    /// 256, 16, 8 or 0: what a task's tint is reduced to.
    var colors: Int

    package func style(_ role: Role) -> CellStyle { styles[role] ?? .plain }

    package func style(of condition: TaskCondition) -> CellStyle { style(Role(condition)) }

    /// The style of a row's mark.
    package func style(of row: TaskSnapshot) -> CellStyle { style(role(of: row)) }

    /// The role of a row's mark: a failed or lost task that needs no attention is as quiet as a
    /// cancelled one.
    private func role(of row: TaskSnapshot) -> Role {
        let isTrouble = row.condition == .lost || row.condition == .failed
        return isTrouble && !row.needsAttention ? .cancelled : Role(row.condition)
    }

    /// The style of the words about a problem: that of the mark, but bold instead of reversed, and
    /// not underlined.
    package func words(of row: TaskSnapshot) -> CellStyle {
        var style = style(of: row)
        if style.attributes.contains(.reverse) { style.attributes.insert(.bold) }
        style.attributes.subtract(Self.blocks)
        return style
    }

    /// The style of the filled or moving part of a row's bar or ring.
    ///
    /// A problem counts before the tint that the task asked for, an ended task recedes, and an
    /// unknown tint is ignored.
    package func fill(of row: TaskSnapshot) -> CellStyle {
        let condition = row.condition
        let isOver = row.state.isEnded
        var style = self.style(condition.isWrong || isOver ? role(of: row) : .fill)
        if !condition.isWrong, colors > 0, let tint = CellColor(name: row.options.tint) {
            let tinted = CellStyle(foreground: tint, background: style.background)
            style = tinted.reduced(toColors: colors)
            if isOver { style.attributes.insert(.dim) }
        }
        style.attributes.subtract(Self.blocks)
        return style
    }
}

extension TaskCondition {
    /// Whether the condition is a problem, which colours the bar too.
    var isWrong: Bool {
        switch self {
        case .stalled, .silent, .failed, .lost: true
        case .waiting, .running, .paused, .cancelling, .succeeded, .cancelled: false
        }
    }
}
