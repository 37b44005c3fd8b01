import Foundation

/// What the system says about the memory of this process, in bytes.
package enum ProcessMemory {
    /// The most it has ever had in use.
    package static var peak: Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
        #else
        // getrusage(2): in kilobytes there.
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) * 1_024
        #endif
    }

    /// What it has in use now; where the system does not tell, the most it has ever had.
    package static var present: Int {
        #if os(Linux)
        // proc(5): the second number of statm is what is resident, in pages.
        let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        if let sizes, sizes.count > 1, let pages = Int(sizes[1]) {
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
        #endif
        return peak
    }
}
