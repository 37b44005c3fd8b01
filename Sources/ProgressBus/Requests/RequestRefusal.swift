/// The error that a handler throws to refuse a request, with the reason.
///
/// ```swift
/// task.onCancel { throw RequestRefusal("The tape cannot stop here.") }
/// ```
public struct RequestRefusal: Error, Hashable, CustomStringConvertible {
    /// The sentence; its first 500 bytes are sent.
    public let description: String

    /// Makes a refusal; the viewer that asked reads the sentence.
    public init(_ sentence: String) { description = sentence }
}
