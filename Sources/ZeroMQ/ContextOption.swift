import CZeroMQ

/// The settings of a context that this package uses.
struct ContextOption: RawRepresentable {
    var rawValue: Int32

    /// `ZMQ_IO_THREADS`.
    static let ioThreads = ContextOption(rawValue: ZMQ_IO_THREADS)
    /// `ZMQ_MAX_SOCKETS`.
    static let maxSockets = ContextOption(rawValue: ZMQ_MAX_SOCKETS)
}
