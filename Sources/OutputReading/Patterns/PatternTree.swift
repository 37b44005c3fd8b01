/// A pattern as it is written.
indirect enum PatternTree: Sendable {
    case characters(CharacterSet)
    case place(PatternPlace)
    case sequence([PatternTree])
    case either([PatternTree])
    case repeated(PatternTree, least: Int, most: Int?, asFewAsPossible: Bool)
    /// The number of a named group.
    case group(PatternTree, number: Int)
}

/// What has no width.
enum PatternPlace: Sendable {
    case start
    case end
    case edgeOfWord
    case noEdgeOfWord
}

extension PatternTree {
    /// The longest text that is in every match, in UTF-8.
    var longestLiteral: [UInt8] {
        var longest: [UInt8] = []
        var current: [UInt8] = []
        // What is to be looked at; `nil` ends a literal.
        var waiting: [PatternTree?] = [self]
        while let next = waiting.popLast() {
            switch next {
            case .characters(let set)?:
                guard !set.isInverted, set.ranges.count == 1, set.ranges[0].count == 1,
                    let scalar = Unicode.Scalar(set.ranges[0].lowerBound)
                else {
                    current = []
                    continue
                }
                current += Array(String(scalar).utf8)
                if current.count > longest.count { longest = current }
            case .sequence(let trees)?: waiting += trees.reversed().map { $0 }
            case .group(let tree, _)?: waiting.append(tree)
            case .repeated(let tree, let least, _, _)? where least > 0:
                waiting += [nil, tree]
                current = []
            case .place?: continue
            case .either?, .repeated?, nil: current = []
            }
        }
        return longest
    }
}

/// What is wrong with a pattern: half a sentence that ends one.
struct PatternError: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
