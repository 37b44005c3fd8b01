/// Why an endpoint cannot be used, with a sentence that says what to do.
package struct EndpointError: Error, Hashable, Sendable {
    package enum Reason: Sendable {
        /// The text is not an endpoint.
        case syntax
        /// The sockets' paths are longer than the system allows.
        case pathTooLong
        /// The directory, or the file of a named bus, does not exist.
        case missing
        /// The path is something other than a directory, such as a symbolic link.
        case notADirectory
        /// The directory belongs to another user.
        case foreign
        /// Other users may enter the directory, or the file of a named bus is not safe.
        case open
        /// The system refused to look or to make the directory.
        case system
    }

    package let reason: Reason
    package let sentence: String

    init(_ reason: Reason, _ sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }
}

extension EndpointError: CustomStringConvertible {
    package var description: String { sentence }
}
