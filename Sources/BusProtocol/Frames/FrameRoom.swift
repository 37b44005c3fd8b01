/// How much room a broker's frame has left for the entries of its lists.
///
/// A receiver cuts the connection when a frame is above the limit, and clients choose how long an
/// entry is. So the broker counts bytes, not entries, in every list that may be longer than a
/// frame. Lists that section 5.1 of `PROTOCOL.md` bounds by a number fit into a frame as they are.
package struct FrameRoom {
    /// Bytes for everything but the entries: header, topic, cursor, numbers, the broker's next key.
    package static let besideEntries = 1_024

    private var left: Int
    private var isUnused = true

    package init(of frameBytes: Int) {
        left = frameBytes - Self.besideEntries
    }

    /// Takes the room for an entry; false if the entry belongs in the next frame.
    ///
    /// The first entry always has room, so that a loop that cuts a list into frames ends.
    package mutating func take(_ entry: some FrameEntry) -> Bool {
        let bytes = entry.mostBytes
        guard bytes <= left || isUnused else { return false }
        left -= bytes
        isUnused = false
        return true
    }
}

/// An entry of a list in a broker's frame.
package protocol FrameEntry {
    /// The most bytes of a frame that the entry takes: its texts, and room for the greatest
    /// numbers.
    ///
    /// To count the numbers exactly would cost as much as to encode them.
    var mostBytes: Int { get }
}

extension Collection where Element: FrameEntry {
    /// The entries in their order, in portions that each fit into a frame of `frameBytes`.
    package func portions(of frameBytes: Int) -> [SubSequence] {
        var portions: [SubSequence] = []
        var room = FrameRoom(of: frameBytes)
        var start = startIndex
        for index in indices where !room.take(self[index]) {
            portions.append(self[start..<index])
            start = index
            room = FrameRoom(of: frameBytes)
            _ = room.take(self[index])
        }
        if start != endIndex { portions.append(self[start...]) }
        return portions
    }
}

extension WireRow: FrameEntry {
    package var mostBytes: Int {
        var bytes = 640
        if hasDescription_p {
            let description = description_p
            bytes += description.textBytes
            if description.hasProcess {
                let process = description.process
                bytes += process.host.utf8.count + process.command.utf8.count
                bytes += process.bootID.utf8.count + process.pidNamespace.utf8.count
            }
        }
        let progress = progress
        bytes += progress.detail.utf8.count + progress.reason.utf8.count + progress.note.utf8.count
        for sum in progress.sums { bytes += 32 + sum.unit.utf8.count }
        return bytes
    }
}

extension WireRemoved: FrameEntry {
    package var mostBytes: Int { 32 + reason.utf8.count }
}

extension WireLogLine: FrameEntry {
    package var mostBytes: Int { 48 + text.utf8.count }
}

/// A number of a packed list.
extension UInt64: FrameEntry {
    package var mostBytes: Int { 10 }
}
