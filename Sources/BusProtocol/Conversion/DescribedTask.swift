package import TaskTree

/// The fields that a reporter's description and a viewer's row share.
///
/// They have the same limits in both, but for the key, which may be longer in a row.
package protocol DescribedTask {
    var key: String { get }
    var title: String { get set }
    var unit: String { get set }
    var hasShare: Bool { get }
    var share: Int64 { get }
    var hasPlace: Bool { get }
    var place: UInt32 { get }
    var hasCell: Bool { get }
    var cell: UInt32 { get }
    var style: WireStyle { get set }
    var background: Bool { get set }
    var tint: String { get set }
    var cancellable: Bool { get set }
    var pausable: Bool { get set }
    var consequence: String { get set }
    var host: String { get set }
    var expectedGap: Double { get set }
    var hasExpectedGap: Bool { get }
    var expectedChildren: Int64 { get set }
    var hasExpectedChildren: Bool { get }
}

extension WireDescription: DescribedTask {}
extension WireRowDescription: DescribedTask {}

extension DescribedTask {
    /// The bytes of all its texts.
    package var textBytes: Int {
        key.utf8.count + title.utf8.count + unit.utf8.count + tint.utf8.count
            + consequence.utf8.count + host.utf8.count
    }

    /// Sets the options, with texts cut to their limits, so that none is refused for its length.
    ///
    /// Sets a field only if the value is not its type's default: setting a generated field costs
    /// several times what the comparison does.
    package mutating func set(_ options: TaskOptions) {
        if options.style == .spinner { style = .spinner }
        if options.isBackground { background = true }
        if !options.tint.isEmpty {
            tint = options.tint.limited(toUTF8: ProtocolLimits.tintBytes)
        }
        if options.isCancellable { cancellable = true }
        if options.isPausable { pausable = true }
        if !options.consequence.isEmpty {
            consequence = options.consequence.limited(toUTF8: ProtocolLimits.consequenceBytes)
        }
        if !options.host.isEmpty {
            host = options.host.limited(toUTF8: ProtocolLimits.hostBytes)
        }
        if let gap = options.expectedGap?.inSeconds, gap >= 0 {
            expectedGap = min(gap, ProtocolLimits.maxExpectedGap)
        }
        if let children = options.expectedChildren { expectedChildren = Int64(max(0, children)) }
    }

    /// The options, but for `totalIsEstimate`, which rows say with the total.
    package var options: TaskOptions {
        TaskOptions(
            // A style of a newer version is drawn as a bar.
            style: style == .spinner ? .spinner : .bar,
            isBackground: background,
            tint: tint,
            isCancellable: cancellable,
            isPausable: pausable,
            consequence: consequence,
            host: host,
            expectedGap: hasExpectedGap ? Self.gap(expectedGap) : nil,
            expectedChildren: hasExpectedChildren ? Int(clamping: expectedChildren) : nil
        )
    }

    private static func gap(_ seconds: Double) -> Duration? {
        (0...ProtocolLimits.maxExpectedGap).contains(seconds) ? .seconds(seconds) : nil
    }

    /// Checks the shared fields but the key, and replaces control characters in texts by spaces.
    mutating func acceptWords() throws(ProtocolViolation) {
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
        try Check.text(unit, "unit", ProtocolLimits.unitBytes) { unit = $0 }
        try Check.text(tint, "tint", ProtocolLimits.tintBytes) { tint = $0 }
        try Check.text(consequence, "consequence", ProtocolLimits.consequenceBytes) {
            consequence = $0
        }
        try Check.text(host, "host", ProtocolLimits.hostBytes) { host = $0 }
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
