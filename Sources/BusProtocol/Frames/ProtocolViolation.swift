/// What was wrong with a frame, in a form that can be sent back as a `Refusal`.
package struct ProtocolViolation: Error, Hashable, Sendable {
    package var code: RefusalCode
    /// What was wrong, in which field, what the limit is and what to do.
    package var sentence: String
    /// The sender's major version if it differs from ours; `nil` for every other violation.
    package var major: UInt8?
    /// The number of the frame's request, which the refusal repeats; 0 if there is none.
    package var request: UInt64

    package init(
        _ code: RefusalCode,
        _ sentence: String,
        major: UInt8? = nil,
        request: UInt64 = 0
    ) {
        self.code = code
        self.sentence = sentence
        self.major = major
        self.request = request
    }
}

extension ProtocolViolation: CustomStringConvertible {
    package var description: String { "\(code.name): \(sentence)" }
}
