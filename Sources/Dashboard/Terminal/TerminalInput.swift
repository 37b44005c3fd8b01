import DashboardCore

/// What the terminal sent, once its bytes have been understood.
enum TerminalInput: Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// Ctrl-Z.
    case suspend
    /// Ctrl-L.
    case redraw
    /// What the terminal says of one of its modes: whether it has it.
    case mode(Int, isKnown: Bool)
}

/// What ncurses makes of the bytes: a character, or a key it knows.
enum InputToken: Hashable {
    case scalar(UInt32)
    case key(Key)
    case mouse(MouseEvent)
    /// A key that means nothing here.
    case unknownKey
}

/// Turns characters into keys, and swallows sequences that nobody knows.
///
/// An escape character that others follow at once begins a sequence; one with nothing behind it is
/// the Esc key. Sequences may come in pieces and are bounded.
struct InputDecoder {
    private enum State: Equatable {
        case plain
        /// After ESC.
        case escape
        /// After ESC [, up to the final byte.
        case control([UInt8])
        /// After ESC O: one more.
        case single
        /// After ESC ] P X ^ _, up to BEL or ESC \.
        case string(length: Int, endsWithEscape: Bool)
    }

    private static let longestControl = 64
    private static let longestString = 4_096
    private static let escape: UInt32 = 27

    private var state = State.plain

    /// Whether the next bytes decide what the last ones were.
    var isWithin: Bool { state != .plain }

    /// Takes what came next.
    mutating func take(_ token: InputToken) -> TerminalInput? {
        switch token {
        case .scalar(let value):
            return take(value)
        case .key(let key):
            state = .plain
            return .key(key)
        case .mouse(let event):
            state = .plain
            return .mouse(event)
        case .unknownKey:
            state = .plain
            return nil
        }
    }

    /// Nothing more came for a while.
    mutating func pause() -> TerminalInput? {
        defer { state = .plain }
        return state == .escape ? .key(.escape) : nil
    }

    private mutating func take(_ value: UInt32) -> TerminalInput? {
        switch state {
        case .plain:
            if value == Self.escape {
                state = .escape
                return nil
            }
            return Self.input(for: value)
        case .escape:
            begin(value)
            // Two Esc keys in one go.
            return value == Self.escape ? .key(.escape) : nil
        case .single:
            state = .plain
            return nil
        case .control(let bytes):
            return continueControl(bytes, value)
        case .string(let length, let endsWithEscape):
            let isEnd = value == 7 || value == 0x9C || (endsWithEscape && value == 0x5C)
            state =
                isEnd || length >= Self.longestString
                ? .plain : .string(length: length + 1, endsWithEscape: value == Self.escape)
            return nil
        }
    }

    private mutating func begin(_ value: UInt32) {
        state =
            switch value {
            case Self.escape: .escape
            case 0x5B: .control([])
            case 0x4F: .single
            case 0x5D, 0x50, 0x58, 0x5E, 0x5F: .string(length: 0, endsWithEscape: false)
            // Alt with a key.
            default: .plain
            }
    }

    private mutating func continueControl(_ bytes: [UInt8], _ value: UInt32) -> TerminalInput? {
        switch value {
        case 0x20...0x3F where bytes.count < Self.longestControl:
            state = .control(bytes + [UInt8(value)])
            return nil
        case 0x40...0x7E:
            state = .plain
            return value == 0x79 ? Self.mode(bytes) : nil
        case Self.escape:
            state = .escape
            return nil
        default:
            state = .plain
            return nil
        }
    }

    /// The answer to a question for a mode: ESC [ ? mode ; state $ y.
    private static func mode(_ bytes: [UInt8]) -> TerminalInput? {
        guard bytes.first == 0x3F, bytes.last == 0x24 else { return nil }
        let fields = bytes.dropFirst().dropLast().split(separator: 0x3B)
        guard fields.count == 2, let mode = number(fields[0]), let state = number(fields[1])
        else { return nil }
        return .mode(mode, isKnown: (1...3).contains(state))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count <= 6 else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static func input(for value: UInt32) -> TerminalInput? {
        switch value {
        case 3: return .key(.interrupt)
        case 8, 127: return .key(.backspace)
        case 9: return .key(.tab)
        case 10, 13: return .key(.enter)
        case 12: return .redraw
        case 26: return .suspend
        case 0..<32, 128..<160: return nil
        default: return Unicode.Scalar(value).map { .key(.character(Character($0))) }
        }
    }
}
