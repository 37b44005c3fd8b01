import CNcurses
import DashboardCore

/// From bytes to keys.
extension Curses {
    /// What was typed next; `nil` if nothing waits.
    func nextToken() -> InputToken? {
        var value: wint_t = 0
        let code = wget_wch(keyboard, &value)
        if code == ERR { return nil }
        guard code == curses_key_code() else { return .scalar(UInt32(value)) }
        switch Int32(clamping: value) {
        case KEY_UP: return .key(.up)
        case KEY_DOWN: return .key(.down)
        case KEY_LEFT: return .key(.left)
        case KEY_RIGHT: return .key(.right)
        case KEY_PPAGE: return .key(.pageUp)
        case KEY_NPAGE: return .key(.pageDown)
        case KEY_HOME: return .key(.home)
        case KEY_END: return .key(.end)
        case KEY_ENTER: return .key(.enter)
        case KEY_BACKSPACE: return .key(.backspace)
        // Ctrl-Z, where the description calls it a key, as that of the console of Linux does.
        case KEY_SUSPEND: return .scalar(26)
        case KEY_MOUSE: return nextMouseEvent()
        default: return .unknownKey
        }
    }

    private func nextMouseEvent() -> InputToken {
        var event = MEVENT()
        guard getmouse(&event) == OK else { return .unknownKey }
        let kind: MouseEvent.Kind
        if event.bstate & curses_wheel_up() != 0 {
            kind = .wheelUp
        } else if event.bstate & curses_wheel_down() != 0 {
            kind = .wheelDown
        } else if event.bstate & curses_left_button() != 0 {
            kind = .click
        } else {
            return .unknownKey
        }
        return .mouse(MouseEvent(kind, column: Int(event.x), row: Int(event.y)))
    }
}
