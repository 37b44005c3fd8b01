package import SwiftProtobuf

/// A message of a peer, or a part of one, that is looked at before anything is made of it.
package protocol CheckedMessage: SwiftProtobuf.Message {
    /// Throws where a limit of the protocol is broken, and replaces control characters in texts.
    ///
    /// The one way in: whatever is decoded comes by here, and nothing behind it need look again.
    mutating func accept() throws(ProtocolViolation)
}

extension CheckedMessage {
    /// The same once it was looked at.
    consuming func accepted() throws(ProtocolViolation) -> Self {
        try accept()
        return self
    }
}

extension Array where Element: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        for row in indices { try self[row].accept() }
    }

    /// The same once all were looked at.
    consuming func accepted() throws(ProtocolViolation) -> Self {
        try accept()
        return self
    }
}

extension Array {
    /// Takes everything out of the list.
    ///
    /// For one that a message keeps apart, which gives what would be copied by its first change.
    mutating func taken() -> Self {
        let all = self
        self = []
        return all
    }
}
