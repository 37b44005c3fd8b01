import CLibrary

extension BusEndpoint {
    /// The variable that names the endpoint where nothing else does.
    package static let environmentVariable = "PROGRESSBUS_ENDPOINT"
    /// All on which it depends: the others say where the files of named buses are.
    package static let environmentVariables = [environmentVariable, "XDG_CONFIG_HOME", "HOME"]

    /// The endpoint to use, and in words where it came from.
    ///
    /// What was given explicitly comes first, then `PROGRESSBUS_ENDPOINT`, then the user's default
    /// directory. An empty variable counts as none. Either may be the name of a bus that the user
    /// has joined, whose file is then read.
    package static func resolve(
        explicit: String?,
        environment: [String: String]
    ) throws(EndpointError) -> (endpoint: BusEndpoint, origin: String) {
        guard let (text, origin) = text(explicit: explicit, environment: environment) else {
            return (try BusEndpoint(directory: defaultDirectory), "the default of this user")
        }
        guard NamedBus.isName(text) else { return (try BusEndpoint(parsing: text), origin) }
        let membership = try NamedBus(text, environment: environment).read()
        return (try BusEndpoint(membership), origin)
    }

    /// What names the endpoint, and where it came from; `nil` where nothing does.
    static func text(
        explicit: String?,
        environment: [String: String]
    ) -> (text: String, origin: String)? {
        if let explicit { return (explicit, "given explicitly") }
        guard let text = environment[environmentVariable], !text.isEmpty else { return nil }
        return (text, "from \(environmentVariable)")
    }

    /// The same bus with what its file says now; `nil` where there is no file to read.
    ///
    /// A member may have joined anew, or taken another key.
    package func current() -> BusEndpoint? {
        guard let file = membership?.file, let membership = try? file.read() else { return nil }
        return try? BusEndpoint(membership)
    }

    /// A directory beside the user's default one.
    package static func besideDefault(
        suffix: String
    ) throws(EndpointError) -> (endpoint: BusEndpoint, path: String) {
        let path = defaultDirectory + suffix
        return (try BusEndpoint(directory: path), path)
    }

    /// The same for every process of a user: a terminal, cron, a service at boot.
    ///
    /// A runtime directory would not be: cron has none, and it goes when its user logs out.
    private static var defaultDirectory: String {
        (perUserTemporaryDirectory() ?? "/tmp/") + "progressbus-\(getuid())"
    }

    /// What the system gives each user for temporary files, with a slash at its end; `nil` where it
    /// gives none.
    private static func perUserTemporaryDirectory() -> String? {
        #if canImport(Darwin)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = confstr(_CS_DARWIN_USER_TEMP_DIR, &path, path.count)
        guard length > 0, length <= path.count else { return nil }
        let text = String(
            decoding: path.prefix(length - 1).map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        return text.hasSuffix("/") ? text : text + "/"
        #else
        return nil
        #endif
    }
}
