package import SwiftProtobuf

/// A peer's message, or a part of one, that is checked before it is used.
package protocol CheckedMessage: SwiftProtobuf.Message {
    /// Throws where a limit of the protocol is broken, and replaces control characters in texts.
    ///
    /// Every decoded message passes this check, so that no later code need check it again.
    mutating func accept() throws(ProtocolViolation)
}

extension CheckedMessage {
    /// Returns the message after its check.
    consuming func accepted() throws(ProtocolViolation) -> Self {
        try accept()
        return self
    }
}

extension Array where Element: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        for row in indices { try self[row].accept() }
    }

    /// Returns the messages after their checks.
    consuming func accepted() throws(ProtocolViolation) -> Self {
        try accept()
        return self
    }
}

extension Array {
    /// Empties the list and returns its elements.
    ///
    /// For a list in a message's own storage: changing a copy of it would copy the elements as long
    /// as the message refers to them too.
    mutating func taken() -> Self {
        let all = self
        self = []
        return all
    }
}
