import DashboardCore
import Testing

@testable import ProgressBusCommand

@Suite("What arguments and environment say of the dashboard")
struct DashboardEnvironmentTests {
    private func look(
        _ environment: [String: String] = [:],
        direction: DashboardArguments.Direction? = nil,
        theme: String? = nil
    ) -> DashboardEnvironment {
        DashboardEnvironment(direction: direction, theme: theme, environment: environment)
    }

    @Test("nothing said: colours, ASCII, from the left, nothing outside the screen")
    func nothing() {
        let look = look()
        #expect(look.hasColor && !look.hasUnicode && !look.isMirrored)
        #expect(look.themeFile == nil && !look.isShownInTitle && !look.isShownInTaskbar)
    }

    @Test("NO_COLOR that is not empty takes the colours away, also those of a theme")
    func noColor() throws {
        #expect(look(["NO_COLOR": ""]).hasColor)
        let without = look(["NO_COLOR": "1"])
        #expect(!without.hasColor)
        #expect(try without.options().theme == .monochrome)
        #expect(try look().options().theme == .standard)
        let text = "title = bold fg red"
        let theme = try Theme(parsing: text)
        #expect(try look().options(themeText: text).theme == theme)
        #expect(try without.options(themeText: text).theme == theme.reduced(toColors: 0))
        #expect(theme != theme.reduced(toColors: 0))
    }

    @Test("the locale says whether there is more than ASCII")
    func glyphs() throws {
        #expect(try look(["LANG": "de_DE.UTF-8"]).options().glyphs == .unicode)
        #expect(try look(["LANG": "de_DE.ISO8859-1"]).options().glyphs == .ascii)
    }

    @Test("I-15: a locale from right to left mirrors, an argument decides")
    func direction() throws {
        let hebrew = ["LANG": "he_IL.UTF-8"]
        #expect(try look(hebrew).options().isMirrored)
        #expect(try !look(hebrew, direction: .ltr).options().isMirrored)
        #expect(try look(["LANG": "en_US.UTF-8"], direction: .rtl).options().isMirrored)
    }

    @Test("I-24: an argument names the theme before the environment does")
    func theme() {
        let environment = ["PROGRESSBUS_THEME": "/from/environment"]
        #expect(look(environment).themeFile == "/from/environment")
        #expect(look(environment, theme: "/mine").themeFile == "/mine")
        #expect(look(["PROGRESSBUS_THEME": ""]).themeFile == nil)
    }

    @Test("a theme that is named needs no file; else the ground of the terminal chooses one")
    func ground() throws {
        #expect(look(theme: "dark").theme == .dark && look(theme: "dark").themeFile == nil)
        #expect(look(["PROGRESSBUS_THEME": "monochrome"]).theme == .monochrome)
        #expect(look(theme: "./dark").themeFile == "./dark")
        #expect(look(["COLORFGBG": "15;0"]).theme == .dark)
        #expect(look(["COLORFGBG": "0;default;15"]).theme == .light)
        #expect(look(["COLORFGBG": "0;7"], theme: "dark").theme == .dark)
        for unknown in ["", "0;default", "15;16", "x;y"] {
            #expect(look(["COLORFGBG": unknown]).theme == .standard)
        }
        let plain = try look(["COLORFGBG": "15;0", "NO_COLOR": "1"]).options().theme
        #expect(plain == .monochrome)
    }

    @Test("title and taskbar are shown when asked for")
    func outside() {
        let look = DashboardEnvironment(title: true, taskbar: true, environment: [:])
        #expect(look.isShownInTitle && look.isShownInTaskbar)
    }
}

@Suite("Names of locales")
struct LocaleNameTests {
    @Test(
        "only an encoding that is UTF-8 is",
        arguments: [
            ("en_US.UTF-8", true), ("de_DE.utf8", true), ("C.UTF-8", true), ("UTF-8", true),
            ("ca_ES.UTF-8@valencia", true), ("C", false), ("POSIX", false), ("", false),
            ("en_US", false), ("ja_JP.eucJP", false), (".", false), ("@", false),
        ]
    )
    func encoding(name: String, isUTF8: Bool) {
        #expect(LocaleName(name).isUTF8 == isUTF8)
    }

    @Test(
        "I-15: these languages begin at the right, unless in another script",
        arguments: [
            ("ar_EG.UTF-8", true), ("fa", true), ("he_IL", true), ("iw.UTF-8", true),
            ("ur_PK.UTF-8", true), ("yi_US@euro", true), ("ps_AF", true), ("sd_PK", true),
            ("ug_CN.UTF-8@latin", false), ("sd_IN.UTF-8@devanagari", false),
            ("dv_MV", true), ("AR-EG", true), ("arn_CL.UTF-8", false), ("en_US.UTF-8", false),
            ("C", false),
        ]
    )
    func direction(name: String, isRightToLeft: Bool) {
        #expect(LocaleName(name).isRightToLeft == isRightToLeft)
    }

    @Test("LC_ALL counts before LC_CTYPE and LANG, empty ones not at all")
    func order() {
        let all = ["LC_ALL": "C", "LC_CTYPE": "en_US.UTF-8", "LANG": "he_IL.UTF-8"]
        #expect(LocaleName(environment: all) == LocaleName("C"))
        #expect(LocaleName(environment: all.merging(["LC_ALL": ""]) { $1 }).isUTF8)
        #expect(LocaleName(environment: ["LC_ALL": "", "LANG": "he_IL.UTF-8"]).isRightToLeft)
        #expect(!LocaleName(environment: [:]).isUTF8)
    }
}
