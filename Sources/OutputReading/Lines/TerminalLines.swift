/// Makes lines of what a program writes on a terminal, byte by byte in whatever pieces.
///
/// Escape sequences are removed; those that move the cursor to another line or column end the line,
/// as a bar is drawn anew there. A line keeps its first 4 KiB.
struct TerminalLines {
    /// A function that takes a line.
    typealias Taker = (OutputLine) -> Void

    static let longest = 4_096
    private static let longestParameters = 8
    /// The modes that show the alternate screen with `h` and the usual one with `l`.
    private static let covers = ["?1049", "?1047", "?47"].map { Array($0.utf8) }

    private var line: [UInt8] = []
    private var escape = Escape.none
    /// Whether the last byte was a carriage return, which together with a newline ends one line.
    private var hasReturned = false
    /// Whether the beginning of this line was not seen, so that the rest of it is ignored.
    private var isHeadless = false
    /// The length of the line when it was last given as open.
    private var shownLength = 0
    /// The length that backspaces have left of the line; the text behind it is drawn over.
    private var keptLength = 0
    /// Whether a full-screen program such as an editor covers the terminal; its lines are skipped.
    private var isCovered = false

    /// The parameters of a control sequence.
    private var parameters: [UInt8] = []

    private enum Escape {
        case none
        case begun
        /// `ESC [`: a control sequence, up to its final byte.
        case control
        /// `ESC ]`, `ESC P` …: a string, up to BEL or `ESC \`.
        case string
        case stringEnding
        /// `ESC ( B`: one more byte.
        case oneMore
    }

    /// Reads bytes and gives the lines that end in them.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into take: Taker) {
        for byte in bytes {
            // Nearly every byte of nearly every output.
            if byte >= 0x20, byte != 0x7f, escape == .none, !hasReturned {
                append(byte)
            } else {
                readSpecial(byte, into: take)
            }
        }
    }

    /// The line that has not ended, if it has changed since the last call; later bytes still belong
    /// to it.
    mutating func open() -> OutputLine? {
        guard !isHeadless, !isCovered, !line.isEmpty, line.count != shownLength else { return nil }
        shownLength = line.count
        return OutputLine(bytes: line, ending: .open)
    }

    /// Ends the last line, as no more bytes come.
    mutating func finish(into take: Taker) {
        end(.newline, into: take)
    }

    /// Notes that bytes were left out here.
    mutating func skip() {
        line.removeAll(keepingCapacity: true)
        escape = .none
        hasReturned = false
        shownLength = 0
        keptLength = 0
        isHeadless = true
    }

    private mutating func readSpecial(_ byte: UInt8, into take: Taker) {
        if hasReturned, byte != Byte.newline {
            end(.carriageReturn, into: take)
        }
        hasReturned = false
        switch escape {
        case .control where byte == Byte.newline, .string where byte == Byte.newline,
            .stringEnding where byte == Byte.newline:
            // The sequence was broken off, as no title has a newline; the line must not be lost.
            escape = .none
            end(.newline, into: take)
        case .begun: readAfterEscape(byte)
        case .control: readControl(byte, into: take)
        case .oneMore: escape = .none
        case .string, .stringEnding: readString(byte)
        case .none: readPlain(byte, into: take)
        }
    }

    private mutating func readPlain(_ byte: UInt8, into take: Taker) {
        switch byte {
        case Byte.newline: end(.newline, into: take)
        case Byte.carriageReturn: hasReturned = true
        case Byte.escape: escape = .begun
        case Byte.backspace:
            if line.count > keptLength, !isHeadless, !isCovered {
                take(OutputLine(bytes: line, ending: .carriageReturn))
            }
            removeLast()
        case Byte.tab: append(Byte.space)
        // Other control characters show nothing.
        case 0..<0x20, 0x7f: break
        default: append(byte)
        }
    }

    private mutating func readAfterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["):
            escape = .control
            parameters.removeAll(keepingCapacity: true)
        case _ where Byte.isAny(of: "]PX^_", byte): escape = .string
        case 0x20...0x2f: escape = .oneMore
        case Byte.escape: escape = .begun
        // These move the cursor to another line, such as `ESC 8` to where it was before.
        case _ where Byte.isAny(of: "8MDE", byte):
            escape = .none
            hasReturned = true
        default: escape = .none
        }
    }

    private mutating func readControl(_ byte: UInt8, into take: Taker) {
        switch byte {
        case Byte.escape: escape = .begun
        case 0x40...0x7e:
            escape = .none
            switch byte {
            case _ where Byte.isAny(of: "ABEFGHdfu", byte): end(.carriageReturn, into: take)
            case UInt8(ascii: "C"): append(Byte.space)
            case UInt8(ascii: "h") where Self.covers.contains(parameters):
                end(.carriageReturn, into: take)
                isCovered = true
            case UInt8(ascii: "l") where Self.covers.contains(parameters):
                end(.carriageReturn, into: take)
                isCovered = false
            default: break
            }
        default: if parameters.count < Self.longestParameters { parameters.append(byte) }
        }
    }

    private mutating func readString(_ byte: UInt8) {
        switch byte {
        case Byte.bell: escape = .none
        case Byte.escape: escape = .stringEnding
        case UInt8(ascii: "\\") where escape == .stringEnding: escape = .none
        default: escape = .string
        }
    }

    private mutating func append(_ byte: UInt8) {
        if line.count < Self.longest { line.append(byte) }
    }

    private mutating func removeLast() {
        while let byte = line.popLast(), byte & 0xc0 == 0x80 {}
        shownLength = 0
        keptLength = line.count
    }

    private mutating func end(_ ending: OutputLine.Ending, into take: Taker) {
        if !isHeadless, !isCovered, !line.isEmpty {
            take(OutputLine(bytes: line, ending: ending))
        }
        line.removeAll(keepingCapacity: true)
        shownLength = 0
        keptLength = 0
        hasReturned = false
        isHeadless = false
    }
}
