import CLibrary

/// How many files the process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard limit and returns what holds now; `nil` if the system does
    /// not say.
    ///
    /// An ipc listener of libzmq 4.3.4 that runs out of descriptors ends its process by an
    /// assertion (a tcp listener survives), so that the usual soft limit of 1,024 would let some
    /// hundred clients kill the broker.
    package static func raise() -> Int? {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            var wanted = limit
            wanted.rlim_cur = limit.rlim_max
            #if canImport(Darwin)
            // setrlimit(2): "infinity" is refused; OPEN_MAX is what is always allowed.
            wanted.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
            #endif
            if setrlimit(resource, &wanted) == 0 { limit = wanted }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Throws `tooManyOpenFiles` unless so many more files can be opened now.
    ///
    /// A context of libzmq 4.3.4 that finds no descriptor for its threads ends its process by an
    /// assertion, where a socket would only fail. Other threads may open files right afterwards,
    /// so that this asks for more than a context with two sockets and its connections need.
    package static func requireRoom(for count: Int) throws(ZeroMQError) {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw ZeroMQError(code: errno, call: "opening \(count) files")
            }
            taken.append(descriptor)
        }
    }
}
