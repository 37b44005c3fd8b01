/// Why a broker could not begin, or had to stop.
///
/// Two errors are equal if their codes are.
public struct BrokerError: Error, Sendable {
    /// What kind of trouble it is; new kinds may be added in any version.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case alreadyRunning, configurationInvalid, endpointUnusable
            case stateUnusable, systemLimit
        }

        private let kind: Kind

        /// Another broker holds the endpoint; `pid` says which process, if it could be read.
        public static let alreadyRunning = Code(kind: .alreadyRunning)
        /// A number or text of the configuration is out of its range.
        public static let configurationInvalid = Code(kind: .configurationInvalid)
        /// The directory or address of the endpoint cannot be used.
        public static let endpointUnusable = Code(kind: .endpointUnusable)
        /// The state directory or the journal in it cannot be read or written.
        public static let stateUnusable = Code(kind: .stateUnusable)
        /// The system has no more descriptors, threads or memory for the broker.
        public static let systemLimit = Code(kind: .systemLimit)

        /// The name of the code.
        public var description: String { kind.rawValue }
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What was wrong and what to do about it, for a person to read.
    public let sentence: String
    /// The process that holds the endpoint, for `alreadyRunning`.
    public let pid: Int32?

    init(_ code: Code, _ sentence: String, pid: Int32? = nil) {
        self.code = code
        self.sentence = sentence
        self.pid = pid
    }
}

extension BrokerError: Equatable {
    /// Whether both are of the same kind.
    public static func == (left: BrokerError, right: BrokerError) -> Bool {
        left.code == right.code
    }
}

extension BrokerError: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }
}
