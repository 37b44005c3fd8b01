/// The bus of another machine, looked at through ssh.
package struct RemoteBus: Hashable, Sendable {
    /// What ssh calls the machine: a name of its configuration, a host, or `user@host`.
    package let machine: String
    /// The port of its sshd; `nil` is what ssh's configuration says.
    package let port: Int?
    /// The directory of its bus; `nil` is the default directory of the user there.
    package let directory: String?

    /// The machine without the user, as people call it.
    package var host: String {
        machine.lastIndex(of: "@").map { String(machine[machine.index(after: $0)...]) } ?? machine
    }

    private static let scheme = "ssh://"

    /// Whether a text is meant to name a bus of another machine.
    package static func isNamed(by text: String) -> Bool { text.hasPrefix(scheme) }

    /// Reads `ssh://[user@]host[:port][/directory]`.
    package init(parsing text: String) throws(EndpointError) {
        guard Self.isNamed(by: text) else {
            throw .remote(text, "it must begin with \(Self.scheme)")
        }
        let rest = text.dropFirst(Self.scheme.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        try self.init(login: rest[..<end], directory: String(rest[end...]), in: text)
    }

    /// Reads `[user@]host[:port]`.
    package init(machine text: String) throws(EndpointError) {
        try self.init(login: text[...], directory: "", in: text)
    }

    private init(
        login: Substring,
        directory: String,
        in text: String
    ) throws(EndpointError) {
        var machine = login
        var port: Int?
        if let colon = login.lastIndex(of: ":"), !login.hasSuffix("]") {
            let digits = login[login.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
                (1...65_535).contains(number)
            else { throw .remote(text, "the port must be from 1 to 65535") }
            machine = login[..<colon]
            port = number
        }
        // Brackets keep the colons of IPv6 apart from the port; ssh takes the address without them.
        self.machine = machine.filter { $0 != "[" && $0 != "]" }
        self.port = port
        guard self.machine.isMachine else {
            throw .remote(
                text,
                "the machine must be a name or an address, with user@ before it or not"
            )
        }
        if directory.isEmpty || directory == "/" {
            self.directory = nil
        } else if let path = Self.checked(directory: directory) {
            self.directory = path
        } else {
            throw .remote(
                text,
                "the directory may have letters, digits and ._-+@%=/ and must be short enough for a socket"
            )
        }
    }

    /// Checks a directory of sockets on another machine; returns it without slashes at its end.
    ///
    /// `nil` if the path is not valid. It goes through ssh and a shell there, where other
    /// characters have a meaning: a colon separates the two ends of a forwarding.
    package static func checked(directory: String) -> String? {
        var path = directory
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard path.hasPrefix("/"), path != "/",
            path.utf8.count + "/control".utf8.count <= BusEndpoint.longestPath,
            path.utf8.allSatisfy({
                $0.isLetterOrDigit || "._-+@%=/".utf8.contains($0) || $0 >= 0x80
            })
        else { return nil }
        return path
    }
}

extension RemoteBus: CustomStringConvertible {
    /// What `init(parsing:)` reads.
    package var description: String {
        let host = machine.contains(":") ? "[\(machine)]" : machine
        return Self.scheme + host + (port.map { ":\($0)" } ?? "") + (directory ?? "")
    }
}

/// Where a viewer looks: a bus of this machine or the network, or one behind ssh.
package enum ViewedBus: Hashable, Sendable {
    case endpoint(BusEndpoint)
    case remote(RemoteBus)

    /// Does what `BusEndpoint.resolve` does, and also takes `ssh://`.
    package static func resolve(
        explicit: String?,
        environment: [String: String]
    ) throws(EndpointError) -> (bus: ViewedBus, origin: String) {
        let named = BusEndpoint.text(explicit: explicit, environment: environment)
        if let (text, origin) = named, RemoteBus.isNamed(by: text) {
            return (.remote(try RemoteBus(parsing: text)), origin)
        }
        let found = try BusEndpoint.resolve(explicit: explicit, environment: environment)
        return (.endpoint(found.endpoint), found.origin)
    }
}

extension ViewedBus {
    /// Whether its broker is on this machine, as far as the address says.
    package var isOnThisMachine: Bool {
        if case .endpoint(let endpoint) = self { endpoint.isLoopback } else { false }
    }
}

extension ViewedBus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .endpoint(let endpoint): endpoint.description
        case .remote(let remote): remote.description
        }
    }
}

extension EndpointError {
    fileprivate static func remote(_ text: String, _ why: String) -> EndpointError {
        EndpointError(
            .syntax,
            "\"\(text)\" names no bus of another machine: \(why). Write HOST, user@HOST or "
                + "ssh://user@HOST:port/directory."
        )
    }
}

extension String {
    /// Whether ssh takes it for a machine and nothing else: no option, and no word of a shell.
    fileprivate var isMachine: Bool {
        !isEmpty && !hasPrefix("-") && !hasPrefix("@") && !hasSuffix("@")
            && utf8.allSatisfy { $0.isLetterOrDigit || "._-@:%+".utf8.contains($0) || $0 >= 0x80 }
    }
}
