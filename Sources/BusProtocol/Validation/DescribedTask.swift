/// What owners say of a task and viewers are told of it: the same fields under the same limits.
protocol DescribedTask {
    var title: String { get set }
    var unit: String { get set }
    var tint: String { get set }
    var consequence: String { get set }
    var hasShare: Bool { get }
    var share: Int64 { get }
    var hasExpectedChildren: Bool { get }
    var expectedChildren: Int64 { get }
    var hasExpectedGap: Bool { get }
    var expectedGap: Double { get }
    var hasPlace: Bool { get }
    var place: UInt32 { get }
    var hasCell: Bool { get }
    var cell: UInt32 { get }
}

extension WireDescription: DescribedTask {}
extension WireRowDescription: DescribedTask {}

extension DescribedTask {
    mutating func acceptWords() throws(ProtocolViolation) {
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
        try Check.text(unit, "unit", ProtocolLimits.unitBytes) { unit = $0 }
        try Check.text(tint, "tint", ProtocolLimits.tintBytes) { tint = $0 }
        try Check.text(consequence, "consequence", ProtocolLimits.consequenceBytes) {
            consequence = $0
        }
        if hasShare { try Check.range(share, "share", 0...ProtocolLimits.maxShare) }
        if hasExpectedChildren {
            try Check.range(expectedChildren, "expected_children", 0...Int64.max)
        }
        if hasExpectedGap {
            try Check.range(expectedGap, "expected_gap", 0...ProtocolLimits.maxExpectedGap)
        }
        if hasPlace { try Check.range(place, "place", 0...ProtocolLimits.maxPlace) }
        if hasCell { try Check.range(cell, "cell", 0...ProtocolLimits.maxPlace) }
    }
}
