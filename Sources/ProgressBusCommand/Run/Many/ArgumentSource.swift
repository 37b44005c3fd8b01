import ProcessControl

/// Where the arguments of many commands come from, a few at a time.
///
/// Belongs to one thread.
final class ArgumentSource {
    /// So many are read ahead, to be counted; the rest waits where it is.
    private static let ahead = 1_000

    /// How many there have been so far.
    private(set) var count = 0
    private var waiting: ArraySlice<SystemString>
    private var splitter: ArgumentSplitter
    private var input: Int32?
    private let isOurs: Bool

    /// - Parameters:
    ///   - arguments: nil reads standard input.
    ///   - isNulSeparated: How arguments end there.
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
        // A file has one place where it is read, and never waits.
        let again =
            isPipe || isatty(STDIN_FILENO) == 1
            ? OutputSink.reopened(STDIN_FILENO, flags: O_RDONLY) : nil
        isOurs = again != nil
        input = again ?? STDIN_FILENO
    }

    deinit {
        if isOurs, let input { close(input) }
    }

    /// Whether no more than these will come.
    var isCounted: Bool { input == nil }
    /// So many have been read and not taken.
    var left: Int { waiting.count }
    /// Nothing is left and nothing will come.
    var isEmpty: Bool { waiting.isEmpty && isCounted }
    /// What poll(2) is to look for; nil where nothing is wanted now.
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

    /// The next one, if it is there already.
    func take() -> SystemString? { waiting.popFirst() }

    /// Gives one that was taken back; it is the next.
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
