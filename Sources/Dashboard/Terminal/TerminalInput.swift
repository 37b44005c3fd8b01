import DashboardCore
import TaskTree

/// What the terminal sent, once its bytes have been understood.
enum TerminalInput: Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// What was pasted, as far as it is kept.
    case paste(String)
    /// Ctrl-Z.
    case suspend
    /// Ctrl-L.
    case redraw
    /// The terminal's answer whether it knows a mode.
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
/// the Esc key. Sequences may come in pieces and are bounded, in length and in time.
struct InputDecoder {
    /// How long the rest of a sequence may take to arrive, in seconds.
    static let patience = 0.05

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
    private var paste: PastedText?
    /// When the last token came.
    private var lastTaken: Moment?

    /// When a begun sequence or paste ends unless more of it comes; `nil` if none has begun.
    var due: Moment? {
        guard paste != nil || state != .plain else { return nil }
        return lastTaken?.advanced(bySeconds: paste == nil ? Self.patience : PastedText.patience)
    }

    /// Takes what came next.
    mutating func take(_ token: InputToken, at now: Moment) -> TerminalInput? {
        lastTaken = now
        guard paste == nil else { return takePasted(token) }
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

    /// Ends a begun sequence or paste whose rest has not come in time.
    mutating func pause(at now: Moment) -> TerminalInput? {
        guard let due, due <= now else { return nil }
        defer {
            state = .plain
            paste = nil
        }
        if let paste { return .paste(paste.text) }
        return state == .escape ? .key(.escape) : nil
    }

    private mutating func takePasted(_ token: InputToken) -> TerminalInput? {
        // Keys within are text that looks like keys.
        guard case .scalar(let value) = token, paste?.take(value) == true else { return nil }
        defer { paste = nil }
        return paste.map { .paste($0.text) }
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
            return Self.key([], value)
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
            if value == 0x7E, bytes == Array("200".utf8) { paste = PastedText() }
            return value == 0x79 ? Self.mode(bytes) : Self.key(bytes, value)
        case Self.escape:
            state = .escape
            return nil
        default:
            state = .plain
            return nil
        }
    }

    /// A key whose sequence ncurses did not know: it came in pieces, or from a terminal that
    /// ignores the application mode or is older than its description.
    private static func key(_ bytes: [UInt8], _ final: UInt32) -> TerminalInput? {
        let key: Key? =
            switch (String(decoding: bytes, as: UTF8.self), final) {
            case ("", 0x41): .up
            case ("", 0x42): .down
            case ("", 0x43): .right
            case ("", 0x44): .left
            case ("", 0x48), ("1", 0x7E), ("7", 0x7E): .home
            case ("", 0x46), ("4", 0x7E), ("8", 0x7E): .end
            case ("5", 0x7E): .pageUp
            case ("6", 0x7E): .pageDown
            default: nil
            }
        return key.map { .key($0) }
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
