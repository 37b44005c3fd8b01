/// A task in the mosaic of its job: one byte of a block of states, PROTOCOL.md 6.
package struct MosaicCell: Hashable, Sendable {
    private static let stateBits: UInt8 = 0x0F
    private static let stalledBit: UInt8 = 0x10
    private static let silentBit: UInt8 = 0x20
    private static let attentionBit: UInt8 = 0x40
    /// In the order of the protocol's `ShownState`; 0 is an empty cell.
    private static let states = TaskState.allCases

    package let state: TaskState
    package let isStalled: Bool
    package let isSilent: Bool
    package let needsAttention: Bool

    package init(_ state: TaskState, isStalled: Bool, isSilent: Bool, needsAttention: Bool) {
        self.state = state
        self.isStalled = isStalled
        self.isSilent = isSilent
        self.needsAttention = needsAttention
    }

    /// `nil` for an empty cell, and for a state of a newer protocol.
    package init?(_ byte: UInt8) {
        let number = Int(byte & Self.stateBits)
        guard number > 0, number <= Self.states.count else { return nil }
        state = Self.states[number - 1]
        isStalled = byte & Self.stalledBit != 0
        isSilent = byte & Self.silentBit != 0
        needsAttention = byte & Self.attentionBit != 0
    }

    package var byte: UInt8 {
        let number = Self.states.firstIndex(of: state).map { UInt8($0 + 1) } ?? 0
        return number | (isStalled ? Self.stalledBit : 0) | (isSilent ? Self.silentBit : 0)
            | (needsAttention ? Self.attentionBit : 0)
    }
}
