import CellScreen
import Foundation
import ProgressBus
import Testing

@testable import DashboardCore

/// What the themes of 256 colours can be read on.
@Suite struct ThemeContrastTests {
    private let black = 0.0
    private let white = 1.0

    /// The ratio of the Web Content Accessibility Guidelines, from 1 to 21.
    private func contrast(_ color: CellColor, _ ground: Double) -> Double {
        let own = luminance(color)
        return (max(own, ground) + 0.05) / (min(own, ground) + 0.05)
    }

    private func luminance(_ color: CellColor) -> Double {
        guard let index = color.index else { return 0 }
        let (red, green, blue) = CellColor.components(index)
        func linear(_ part: Int) -> Double {
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    private func colors(_ theme: Theme) -> [(Theme.Role, CellColor)] {
        // Nothing is to be read of a track, only seen where it ends.
        Theme.Role.allCases.filter { $0 != .track }
            .map { ($0, theme.style($0).foreground) }.filter { $0.1 != .standard }
    }

    @Test("each colour of the dark theme can be read on black, of the light one on white")
    func grounds() {
        for (theme, ground) in [(Theme.dark, black), (.light, white)] {
            #expect(colors(theme).count > 10)
            for (role, color) in colors(theme) {
                // What is done says nothing by its colour alone, and is to recede.
                #expect(contrast(color, ground) >= (role == .succeeded ? 4 : 4.5), "\(role)")
            }
            #expect(contrast(theme.style(.track).foreground, ground) >= 1.8)
            // The row of the cursor takes little of that.
            let cursor = luminance(theme.style(.cursor).background)
            for (role, color) in colors(theme) { #expect(contrast(color, cursor) >= 3, "\(role)") }
        }
    }

    @Test("on a ground that nobody knows each can be read, whichever it is")
    func unknownGround() {
        for (role, color) in colors(.standard) {
            #expect(contrast(color, black) >= 3.9, "\(role)")
            #expect(contrast(color, white) >= 3.9, "\(role)")
        }
    }

    @Test("trouble alone is loud: what is done and what is beside the point is quieter than it")
    func trouble() {
        func strength(_ color: CellColor) -> Int {
            let (red, green, blue) = color.index.map(CellColor.components) ?? (0, 0, 0)
            return max(red, green, blue) - min(red, green, blue)
        }
        for theme in [Theme.standard, .dark, .light] {
            let quiet = [Theme.Role.succeeded, .cancelled, .faint, .track, .footer]
            for role in quiet {
                #expect(strength(theme.style(role).foreground) <= 40, "\(role)")
            }
            for role in [Theme.Role.failed, .lost, .stalled] {
                #expect(strength(theme.style(role).foreground) >= 135, "\(role)")
                #expect(theme.style(role).attributes.contains(.bold))
            }
        }
    }
}
