import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite struct ThemeTests {
    private func tinted(_ tint: String?, _ condition: TaskCondition = .running) -> TaskSnapshot {
        var row = TaskSnapshot.shown(condition, 0.5)
        row.options.tint = tint ?? ""
        row.needsAttention = condition.isWrong
        return row
    }

    @Test("I-7: no two conditions look alike, and the four that halt differ in their colour")
    func conditions() {
        let theme = Theme.standard
        let conditions = TaskCondition.allCases
        for theme in [
            theme, .dark, .light, theme.reduced(toColors: 16), theme.reduced(toColors: 8),
        ] {
            #expect(Set(conditions.map(theme.style(of:))).count == conditions.count)
            let halting: [TaskCondition] = [.stalled, .silent, .lost, .waiting]
            #expect(Set(halting.map { theme.style(of: $0).foreground }).count == 4)
            #expect(Set(halting.map { theme.fill(of: .shown($0)) }).count == 4)
        }
        let halting: [TaskCondition] = [.stalled, .silent, .lost, .waiting]
        #expect(Set(halting.map(Theme.monochrome.style(of:))).count == 4)
    }

    @Test("I-23: one neutral colour by default; a tint colours what is filled")
    func tint() {
        let theme = Theme.standard
        let accent = theme.style(.fill).foreground
        #expect(accent != .standard)
        #expect(theme.fill(of: tinted(nil)).foreground == accent)
        #expect(theme.style(of: .running).foreground == .standard)
        #expect(theme.fill(of: tinted("green")).foreground == .indexed(2))
        #expect(theme.fill(of: tinted("bright-cyan")).foreground == .indexed(14))
        #expect(theme.fill(of: tinted("208")).foreground == .indexed(208))
        #expect(theme.fill(of: tinted("0")).foreground == .indexed(0))
        let unknown = [
            "", "pink", "GREEN", "256", "-1", "+1", "bright-", "bright-7", "bright-bright-red",
            "٣", "1 ", "\u{1B}[31m", String(repeating: "1", count: 100_000),
        ]
        for tint in unknown { #expect(theme.fill(of: tinted(tint)) == theme.style(.fill)) }
        let bar = Canvas().indicator(tinted("green"))
        #expect(bar.cell(column: 0, row: 0)?.style.foreground == .indexed(2))
        #expect(bar.cell(column: 9, row: 0)?.style == theme.style(.track))
    }

    @Test("I-23: what is wrong is seen before the tint, what is over recedes, with a tint too")
    func tintGivesWay() {
        let theme = Theme.standard
        for condition in TaskCondition.allCases {
            let fill = theme.fill(of: tinted("green", condition))
            let wrong = theme.style(of: condition).foreground
            let expected = condition.isWrong ? wrong : .indexed(2)
            #expect(fill.foreground == expected)
            #expect(!fill.attributes.contains(.reverse))
            let isOver = condition == .succeeded || condition == .cancelled
            #expect(fill.attributes.contains(.dim) == isOver)
            #expect(!theme.words(of: .shown(condition)).attributes.contains(.reverse))
        }
        var dismissed = TaskSnapshot.shown(.failed)
        dismissed.needsAttention = false
        #expect(theme.style(of: dismissed) == theme.style(of: .cancelled))
        #expect(
            Theme.monochrome.fill(of: tinted("green")) == Theme.monochrome.fill(of: tinted(nil))
        )
        let eight = theme.reduced(toColors: 8)
        #expect(eight.fill(of: tinted("bright-red")).foreground == .indexed(1))
        #expect(eight.fill(of: tinted("196")).foreground == .indexed(1))
        #expect(theme.reduced(toColors: 16).fill(of: tinted("196")).foreground == .indexed(9))
        #expect(theme.reduced(toColors: 0).fill(of: tinted("196")).foreground == .standard)
    }

    @Test("I-24: what a theme says has its own form in 16 colours; what a file says, the nearest")
    func sixteen() throws {
        for theme in [Theme.standard, .dark, .light] {
            #expect(theme.reduced(toColors: 16) == .sixteen)
        }
        let file = try Theme(parsing: "inherit dark\nfailed = fg 203 underline")
        let reduced = file.reduced(toColors: 16)
        #expect(
            reduced.style(.failed) == CellStyle(foreground: .indexed(9), attributes: .underline)
        )
        #expect(reduced.style(.lost) == Theme.sixteen.style(.lost))
    }

    @Test("I-24: without colour there are attributes only")
    func monochrome() {
        for theme in [
            Theme.monochrome, Theme.standard.reduced(toColors: 0),
            Theme.standard.reduced(toColors: -5),
        ] {
            for role in Theme.Role.allCases {
                #expect(theme.style(role).foreground == .standard)
                #expect(theme.style(role).background == .standard)
            }
            #expect(theme.style(.cursor) != theme.style(.text))
            #expect(theme.style(.chosenButton) != theme.style(.button))
            #expect(theme.style(.filtered) != theme.style(.text))
        }
    }

    @Test(
        "I-24: with fewer colours everything can be read and stays within them",
        arguments: [0, 7, 8, 15, 16, 88, 256, 1 << 24]
    )
    func reduced(colors: Int) {
        let limit = colors >= 256 ? 256 : colors >= 16 ? 16 : colors >= 8 ? 8 : 0
        var theme = Theme.standard
        for foreground in UInt8.min...UInt8.max {
            for background in stride(from: UInt8(0), to: 255, by: 3) where foreground != background
            {
                theme.styles[.text] = CellStyle(
                    foreground: .indexed(foreground),
                    background: .indexed(background)
                )
                let style = theme.reduced(toColors: colors).style(.text)
                #expect(style.foreground != style.background || limit == 0)
                #expect(Int(style.foreground.index ?? 0) < max(limit, 1))
                #expect(Int(style.background.index ?? 0) < max(limit, 1))
            }
        }
        if limit == 256 { #expect(Theme.standard.reduced(toColors: colors) == .standard) }
    }

    @Test("I-24: what only its background set apart is reversed where there are no colours")
    func background() throws {
        let theme = try Theme(parsing: "cursor = bg blue fg 15").reduced(toColors: 0)
        #expect(theme.style(.cursor) == CellStyle(attributes: .reverse))
    }
}
