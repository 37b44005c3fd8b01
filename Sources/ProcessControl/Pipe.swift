/// Both ends of a pipe.
package struct Pipe {
    /// Does not block.
    package let reading: Int32
    package let writing: Int32

    /// A pipe that no other process inherits; its ends are the caller's to close.
    package init(isLarge: Bool = false) throws(StartError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StartError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        #if os(Linux)
        // F_SETPIPE_SZ, which Swift does not import: fewer wake-ups for a command that prints a
        // lot. If the user has too many such pipes, it fails, and the size stays as it is.
        if isLarge { _ = fcntl(ends[0], 1_031, Int32(1 << 20)) }
        #endif
        reading = ends[0]
        writing = ends[1]
    }
}

/// A descriptor that is closed with the value.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
