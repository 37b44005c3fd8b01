/// What a task counts, for instance files or bytes.
///
/// Amounts of tasks that count the same unit are added up for their parents. Any word will do;
/// the longest that is sent is 50 bytes. Write it as people say it for several: "episodes".
public struct ProgressUnit: Sendable, Hashable {
    /// The word that is shown behind the numbers.
    public let name: String

    /// A unit of your own.
    public init(_ name: String) {
        self.name = name
    }

    /// Things of any kind; what a task counts unless told otherwise.
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
