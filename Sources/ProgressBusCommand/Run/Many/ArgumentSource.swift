import ProcessControl

/// The arguments of a batch, given or read from standard input, a few at a time.
///
/// Belongs to one thread.
final class ArgumentSource {
    /// How many arguments are read ahead, to be counted; the rest stays in the input.
    private static let ahead = 1_000

    /// The number of arguments so far.
    private(set) var count = 0
    private var waiting: ArraySlice<SystemString>
    private var splitter: ArgumentSplitter
    private var input: Int32?
    private let isOurs: Bool

    /// - Parameters:
    ///   - arguments: The arguments; nil reads them from standard input.
    ///   - isNulSeparated: Whether arguments on standard input end with NUL, not with a newline.
    init(_ arguments: [SystemString]?, isNulSeparated: Bool) {
        waiting = arguments?[...] ?? []
        count = waiting.count
        splitter = ArgumentSplitter(isNulSeparated: isNulSeparated)
        guard arguments == nil else {
            isOurs = false
            return
        }
        var status = stat()
        let isPipe = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        // A file is not reopened: its offset is to be shared, and it never waits.
        let again =
            isPipe || isatty(STDIN_FILENO) == 1
            ? OutputSink.reopened(STDIN_FILENO, flags: O_RDONLY) : nil
        isOurs = again != nil
        input = again ?? STDIN_FILENO
    }

    deinit {
        if isOurs, let input { close(input) }
    }

    /// Whether `count` is final, because no more arguments will come.
    var isCounted: Bool { input == nil }
    /// The number of arguments that have been read and not taken.
    var left: Int { waiting.count }
    /// Whether no argument is left and none will come.
    var isEmpty: Bool { waiting.isEmpty && isCounted }
    /// The descriptor for poll(2) to watch; nil if no argument is wanted now.
    var wanted: Int32? { left < Self.ahead ? input : nil }

    /// Reads once; call it only when poll(2) says that there is something.
    func read() {
        guard let input else { return }
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            let size = readDescriptor(input, into: buffer)
            if size > 0 {
                add(splitter.feed(UnsafeRawBufferPointer(rebasing: buffer[..<size])))
            } else if size == 0 || (errno != EAGAIN && errno != EINTR) {
                add(splitter.finish().map { [$0] } ?? [])
                stop()
            }
        }
    }

    /// Takes the next argument, if one has been read.
    func take() -> SystemString? { waiting.popFirst() }

    /// Puts an argument back, as the next one.
    func giveBack(_ argument: SystemString) {
        waiting.insert(argument, at: waiting.startIndex)
    }

    /// Reads no more; what has been read stays.
    func stop() {
        if isOurs, let input { close(input) }
        input = nil
    }

    private func add(_ arguments: [SystemString]) {
        waiting += arguments
        count += arguments.count
    }
}
