import CLibrary

extension BusEndpoint {
    /// The variable that names the endpoint where nothing else does.
    package static let environmentVariable = "PROGRESSBUS_ENDPOINT"
    /// All variables that the endpoint depends on; the last two locate the files of named buses.
    package static let environmentVariables = [environmentVariable, "XDG_CONFIG_HOME", "HOME"]

    /// The endpoint to use, and in words where it came from.
    ///
    /// An endpoint given explicitly comes first, then `PROGRESSBUS_ENDPOINT`, then the user's
    /// default directory. An empty variable counts as none. Both texts may be the name of a bus
    /// that the user has joined; the file of that bus is then read.
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

    /// The text that names the endpoint, and where it came from; `nil` if there is none.
    static func text(
        explicit: String?,
        environment: [String: String]
    ) -> (text: String, origin: String)? {
        if let explicit { return (explicit, "given explicitly") }
        guard let text = environment[environmentVariable], !text.isEmpty else { return nil }
        return (text, "from \(environmentVariable)")
    }

    /// This bus with the membership that its file holds now; `nil` without a readable file.
    ///
    /// The user may have joined anew, or changed the key, since this value was made.
    package func current() -> BusEndpoint? {
        guard let file = membership?.file, let membership = try? file.read() else { return nil }
        return try? BusEndpoint(membership)
    }

    /// An endpoint in a directory beside the user's default one, and the path of that directory.
    package static func besideDefault(
        suffix: String
    ) throws(EndpointError) -> (endpoint: BusEndpoint, path: String) {
        let path = defaultDirectory + suffix
        return (try BusEndpoint(directory: path), path)
    }

    /// The default directory, the same for a user's terminal, cron jobs and services at boot.
    ///
    /// A runtime directory would not do: cron has none, and it goes when its user logs out.
    private static var defaultDirectory: String {
        (perUserTemporaryDirectory() ?? "/tmp/") + "progressbus-\(getuid())"
    }

    /// The system's directory for this user's temporary files, with a slash at its end; `nil` if
    /// there is none.
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
