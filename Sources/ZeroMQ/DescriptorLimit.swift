#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
}
