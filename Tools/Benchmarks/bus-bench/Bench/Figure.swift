import Foundation

/// One number that was taken several times: median, least and greatest.
struct Figure {
    let unit: String
    let median: Double
    let least: Double
    let greatest: Double
    /// What it is compared with, and how many times that it is, round by round.
    var baseline: String?
    var ratios: [Double] = []
    /// The most, or the least, that it may be.
    var target: Target?

    /// What a figure is measured by: itself, or its ratio to the baseline.
    enum Target {
        case atMost(Double)
        case atLeast(Double)
        case ratioAtMost(Double)
        case ratioAtLeast(Double)
    }

    init(_ values: [Double], unit: String, target: Target? = nil) {
        (median, least, greatest) = Self.spread(of: values)
        self.unit = unit
        self.target = target
    }

    /// The same with what it is compared with, taken in the same rounds.
    func beside(_ name: String, _ ratios: [Double], target: Target? = nil) -> Figure {
        var figure = self
        figure.baseline = name
        figure.ratios = ratios
        figure.target = target ?? self.target
        return figure
    }

    static func spread(of values: [Double]) -> (median: Double, least: Double, greatest: Double) {
        let sorted = values.sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return (0, 0, 0) }
        return (sorted.at(0.5), least, greatest)
    }

    var isMet: Bool? {
        let ratio = Self.spread(of: ratios).median
        switch target {
        case .atMost(let limit)?: return median <= limit
        case .atLeast(let limit)?: return median >= limit
        case .ratioAtMost(let limit)?: return ratio <= limit
        case .ratioAtLeast(let limit)?: return ratio >= limit
        case nil: return nil
        }
    }

    /// What is wanted, in words.
    var wish: String? {
        let name = baseline ?? ""
        switch target {
        case .atMost(let limit)?: return "at most \(Self.text(limit)) \(unit)"
        case .atLeast(let limit)?: return "at least \(Self.text(limit)) \(unit)"
        case .ratioAtMost(let limit)?: return "at most \(Self.text(limit)) x \(name)"
        case .ratioAtLeast(let limit)?: return "at least \(Self.text(limit)) x \(name)"
        case nil: return nil
        }
    }

    static func text(_ number: Double) -> String {
        let size = abs(number)
        if size >= 1_000 || number == number.rounded() { return String(format: "%.0f", number) }
        return String(format: size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.3g", number)
    }
}

/// All that was measured, in order.
struct Report {
    private(set) var figures: [(name: String, figure: Figure)] = []

    mutating func add(_ name: String, _ figure: Figure) {
        figures.append((name, figure))
    }

    func lines(from first: Int) -> String {
        figures[first...].map { name, figure in
            let spread = "(\(Figure.text(figure.least)) to \(Figure.text(figure.greatest)))"
            var line = "\(name): \(Figure.text(figure.median)) \(figure.unit) \(spread)"
            if let baseline = figure.baseline {
                let ratio = Figure.text(Figure.spread(of: figure.ratios).median)
                line += ", \(ratio) x \(baseline)"
            }
            if let wish = figure.wish { line += figure.isMet == true ? "" : "; wanted \(wish)" }
            return line
        }.joined(separator: "\n")
    }

    /// An object of name to figure, in order.
    var json: String {
        "{"
            + figures.map { "\(Self.quoted($0.name)):\(Self.json($0.figure))" }
            .joined(separator: ",\n") + "}"
    }

    private static func json(_ figure: Figure) -> String {
        var fields = [
            #""unit":\#(quoted(figure.unit))"#, #""median":\#(figure.median)"#,
            #""least":\#(figure.least)"#, #""greatest":\#(figure.greatest)"#,
        ]
        if let baseline = figure.baseline {
            let ratio = Figure.spread(of: figure.ratios)
            fields.append(
                #""baseline":\#(quoted(baseline)),"ratio":{"median":\#(ratio.median),"#
                    + #""least":\#(ratio.least),"greatest":\#(ratio.greatest)}"#
            )
        }
        if let wish = figure.wish, let isMet = figure.isMet {
            fields.append(#""target":\#(quoted(wish)),"met":\#(isMet)"#)
        }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// Names and units are ours: nothing in them needs more than this.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
}

extension [Double] {
    /// The value below which this part of all is; of sorted values.
    func at(_ part: Double) -> Double {
        isEmpty ? 0 : self[Swift.min(count - 1, Int((Double(count - 1) * part).rounded()))]
    }
}

/// Divides round by round.
func ratios(_ values: [Double], to baseline: [Double]) -> [Double] {
    zip(values, baseline).map { $0 / Swift.max($1, 1e-9) }
}
