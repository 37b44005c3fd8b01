/// The version of the wire protocol that this code speaks.
package enum ProtocolVersion {
    /// Changes when the other side can no longer understand frames; frames of another major version
    /// are refused.
    package static let major: UInt8 = 1
    /// Changes when something is added that others may ignore.
    package static let minor: UInt8 = 0

    /// `major.minor`, as sentences and `progressbus version` print it.
    package static var text: String { "\(major).\(minor)" }
}

/// The version of this implementation, for people.
package enum ProgressBusVersion {
    package static let text = "0.1.0"
}
