import CellScreen

extension Theme {
    /// The same theme for a terminal with so many colours: 256 and more, 16, 8, or fewer for none.
    ///
    /// A style that is as in a built-in theme of many colours becomes that of the theme of few: the
    /// nearest colours of some styles would be the same.
    package func reduced(toColors number: Int) -> Theme {
        let colors = number >= 256 ? 256 : number >= 16 ? 16 : number >= 8 ? 8 : 0
        guard colors < self.colors else { return self }
        var reduced = Theme(styles: [:], colors: colors)
        for (role, style) in styles {
            let isOurs = Self.ofManyColors.contains { $0.styles[role] == style }
            let own = isOurs ? (colors == 0 ? Self.monochrome : .sixteen).styles[role] : style
            reduced.styles[role] = own?.reduced(toColors: colors)
        }
        return reduced
    }
}

extension CellStyle {
    /// The nearest style with 256, 16, 8 or 0 colours in which the text can still be read.
    func reduced(toColors colors: Int) -> CellStyle {
        var style = self
        if colors == 0 {
            // A cursor or a chosen button that only its background sets apart would otherwise
            // vanish.
            if background != .standard { style.attributes.insert(.reverse) }
            style.foreground = .standard
            style.background = .standard
            return style
        }
        if colors < 256 {
            style.foreground = style.foreground.nearestOfSixteen
            style.background = style.background.nearestOfSixteen
        }
        if colors < 16 {
            if let index = style.foreground.index, index >= 8 {
                // Bold black is grey on some terminals and black on others.
                style.foreground = index == 8 ? .standard : .indexed(index - 8)
                style.attributes.insert(index == 8 ? .dim : .bold)
            }
            if let index = style.background.index, index >= 8 {
                style.background = .indexed(index - 8)
            }
        }
        if style.foreground != .standard, style.foreground == style.background {
            style.foreground = .indexed(style.background.isDark ? 7 : 0)
        }
        return style
    }
}

extension CellColor {
    /// The first sixteen colours as most terminals have them until somebody changes them.
    private static let sixteen: [(red: Int, green: Int, blue: Int)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
        (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
        (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]

    /// The colour of a place in the palette: sixteen, a cube of 6 × 6 × 6, then 24 greys.
    static func components(_ index: UInt8) -> (red: Int, green: Int, blue: Int) {
        let index = Int(index)
        if index < 16 { return sixteen[index] }
        if index >= 232 {
            let grey = 8 + (index - 232) * 10
            return (grey, grey, grey)
        }
        let levels = [0, 95, 135, 175, 215, 255]
        let place = index - 16
        return (levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    }

    fileprivate var nearestOfSixteen: CellColor {
        guard let index, index >= 16 else { return self }
        let wanted = Self.components(index)
        func distance(_ other: Int) -> Int {
            let color = Self.sixteen[other]
            let red = color.red - wanted.red
            let green = color.green - wanted.green
            let blue = color.blue - wanted.blue
            return red * red + green * green + blue * blue
        }
        let nearest = (0..<16).min { distance($0) < distance($1) } ?? 0
        return .indexed(UInt8(nearest))
    }

    fileprivate var isDark: Bool {
        guard let index else { return false }
        let color = Self.components(index)
        return color.red * 3 + color.green * 6 + color.blue < 1_280
    }
}
