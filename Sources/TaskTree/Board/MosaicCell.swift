/// A task in the mosaic of its job: one byte of a block of states, PROTOCOL.md 6.
package struct MosaicCell: Hashable, Sendable {
    private static let stateBits: UInt8 = 0x0F
    private static let stalledBit: UInt8 = 0x10
    private static let silentBit: UInt8 = 0x20
    private static let attentionBit: UInt8 = 0x40
    /// The states in the order of the protocol's `ShownState`; number 1 of a cell is the first.
    ///
    /// 0 is an empty cell. The numbers behind the states are running tasks with 1 to 7 eighths
    /// done.
    private static let states = TaskState.allCases
    private static let mostEighths = 7

    package let state: TaskState
    package let isStalled: Bool
    package let isSilent: Bool
    package let needsAttention: Bool
    /// How many eighths of a running task are done; 0 where it is less or not known.
    package let eighths: Int

    package init(
        _ state: TaskState,
        isStalled: Bool,
        isSilent: Bool,
        needsAttention: Bool,
        fraction: Double = 0
    ) {
        self.state = state
        self.isStalled = isStalled
        self.isSilent = isSilent
        self.needsAttention = needsAttention
        eighths = state == .running ? Int(max(0, min(fraction * 8, Double(Self.mostEighths)))) : 0
    }

    /// `nil` for an empty cell.
    package init?(_ byte: UInt8) {
        let number = Int(byte & Self.stateBits)
        guard number > 0 else { return nil }
        eighths = max(number - Self.states.count, 0)
        state = eighths > 0 ? .running : Self.states[number - 1]
        isStalled = byte & Self.stalledBit != 0
        isSilent = byte & Self.silentBit != 0
        needsAttention = byte & Self.attentionBit != 0
    }

    package var condition: TaskCondition {
        TaskCondition(state, isStalled: isStalled, isSilent: isSilent)
    }

    package var byte: UInt8 {
        let place =
            eighths > 0 ? Self.states.count + eighths - 1 : Self.states.firstIndex(of: state)
        let number = place.map { UInt8($0 + 1) } ?? 0
        return number | (isStalled ? Self.stalledBit : 0) | (isSilent ? Self.silentBit : 0)
            | (needsAttention ? Self.attentionBit : 0)
    }
}
