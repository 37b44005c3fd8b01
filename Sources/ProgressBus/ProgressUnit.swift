/// What a task counts, for instance files or bytes.
///
/// The amounts of tasks that count the same unit are added up for their parents. Any word will do;
/// at most 50 bytes are sent. Write it in the plural: "episodes".
public struct ProgressUnit: Sendable, Hashable {
    /// The word that is shown behind the numbers.
    public let name: String

    /// A unit of your own.
    public init(_ name: String) {
        self.name = name
    }

    /// Things of any kind; the unit of a task that names no other.
    public static let items = ProgressUnit("items")
    /// Bytes; shown as KB, MB, GB.
    public static let bytes = ProgressUnit("bytes")
    /// Files.
    public static let files = ProgressUnit("files")
}

extension ProgressUnit: ExpressibleByStringLiteral {
    /// A unit of your own: `unit: "episodes"`.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
