#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension BusEndpoint {
    /// The variable that names the endpoint where nothing else does.
    package static let environmentVariable = "PROGRESSBUS_ENDPOINT"

    /// The endpoint to use, and in words where it came from.
    ///
    /// What was given explicitly comes first, then `PROGRESSBUS_ENDPOINT`, then the user's default
    /// directory. An empty variable counts as none.
    package static func resolve(
        explicit: String?,
        environment: [String: String]
    ) throws(EndpointError) -> (endpoint: BusEndpoint, origin: String) {
        if let explicit { return (try BusEndpoint(parsing: explicit), "given explicitly") }
        if let text = environment[environmentVariable], !text.isEmpty {
            return (try BusEndpoint(parsing: text), "from \(environmentVariable)")
        }
        let directory = defaultDirectory(
            user: getuid(),
            environment: environment,
            temporary: perUserTemporaryDirectory(),
            isDirectory: isDirectory
        )
        return (try BusEndpoint(directory: directory), "the default of this user")
    }

    /// The first of the user's places that exists; the last resort needs nothing but `/tmp`.
    static func defaultDirectory(
        user: UInt32,
        environment: [String: String],
        temporary: String?,
        isDirectory: (String) -> Bool
    ) -> String {
        let bases = ["/run/user/\(user)", environment["XDG_RUNTIME_DIR"], temporary]
        for case let base? in bases where base.hasPrefix("/") && isDirectory(base) {
            return base.hasSuffix("/") ? base + "progressbus" : base + "/progressbus"
        }
        return "/tmp/progressbus-\(user)"
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// What the system gives each user for temporary files; `nil` where it gives none.
    private static func perUserTemporaryDirectory() -> String? {
        #if canImport(Darwin)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = confstr(_CS_DARWIN_USER_TEMP_DIR, &path, path.count)
        guard length > 0, length <= path.count else { return nil }
        return String(decoding: path.prefix(length - 1).map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
        return nil
        #endif
    }
}
