package import ProgressBus
package import TaskTree

/// An event for the dashboard, from the bus, the person or the terminal.
package enum DashboardEvent: Sendable {
    case update(ViewportUpdate)
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text, which is no key press.
    case paste(String)
    case resize(columns: Int, rows: Int)
    /// The answers to the action `perform` of the same number.
    case answered(request: Int, Result<[SessionAnswer], FollowError>)
    /// The task that `find` asked for: `nil` if there is none or several, a failure if that is not
    /// known.
    case found(request: Int, Result<TaskMatch?, FollowError>)
    /// What the broker has found in a whole job for `search`.
    case searched(request: Int, Result<SearchHits, FollowError>)
}

/// An action that the dashboard wants done, in order.
package enum DashboardAction: Hashable, Sendable {
    /// Follow these parts and no others.
    case follow(Set<ViewportPart>)
    /// Ask for all followed parts anew.
    case refresh
    case perform(request: Int, TaskRequest, TaskID)
    case find(request: Int, TaskSelector)
    case search(request: Int, TaskSearch)
    /// Draw everything again, whatever the terminal shows.
    case redraw
    /// Put this into the clipboard of the person's own machine.
    case copy(String)
    /// Announce this text outside of the screen, by the terminal.
    case tell(String)
    /// End the program; the work goes on.
    case leave
}

/// A key press, whatever the terminal sent for it.
package enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, escape, tab, backspace
    /// Ctrl-C.
    case interrupt
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral character: Character) {
        self = .character(character)
    }
}

/// What the mouse did, in cells from the upper left corner.
package struct MouseEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case click, wheelUp, wheelDown
    }

    package var kind: Kind
    package var column: Int
    package var row: Int

    package init(_ kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}
