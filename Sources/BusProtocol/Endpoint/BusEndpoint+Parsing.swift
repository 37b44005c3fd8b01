extension BusEndpoint {
    /// Reads `ipc:///directory` or `tcp://host:port`.
    ///
    /// `localhost` becomes 127.0.0.1, because libzmq binds to addresses and interfaces and looks
    /// up no names.
    package init(parsing text: String) throws(EndpointError) {
        membership = nil
        if let path = text.suffix(after: "ipc://") {
            kind = .ipc(directory: try Self.directory(path, in: text))
        } else if let rest = text.suffix(after: "tcp://") {
            kind = try Self.hostAndPort(rest, in: text)
        } else if RemoteBus.isNamed(by: text) {
            throw EndpointError(
                .syntax,
                "\"\(text)\" is for looking and for requests: status, watch, wait, cancel, pause,"
                    + " resume and dismiss. What reports to that bus must run on that machine."
            )
        } else {
            throw .syntax(text, "it must begin with ipc:// or tcp://")
        }
    }

    /// An endpoint in this directory; the path must be absolute.
    package init(directory: String) throws(EndpointError) {
        membership = nil
        kind = .ipc(directory: try Self.directory(directory, in: "ipc://" + directory))
    }

    /// The endpoint of a bus that this user is a member of.
    package init(_ membership: Membership) throws(EndpointError) {
        let endpoint = try BusEndpoint(parsing: membership.address)
        guard case .tcp = endpoint.kind else {
            throw .syntax(membership.address, "a bus with keys is tcp")
        }
        kind = endpoint.kind
        self.membership = membership
    }

    private static func directory(
        _ path: String,
        in text: String
    ) throws(EndpointError) -> String {
        guard path.hasPrefix("/") else {
            throw .syntax(text, "the directory must be absolute, as in ipc:///tmp/bus")
        }
        guard !path.utf8.contains(0) else { throw .syntax(text, "a path has no zero bytes") }
        var directory = path
        while directory.hasSuffix("/") { directory.removeLast() }
        guard !directory.isEmpty else { throw .syntax(text, "name a directory below /") }
        let longest = directory.utf8.count + "/control".utf8.count
        guard longest <= longestPath else {
            throw EndpointError(
                .pathTooLong,
                "The sockets of \(text) would have paths of \(longest) bytes, and the system takes"
                    + " at most \(longestPath): use a directory with a shorter path."
            )
        }
        return directory
    }

    private static func hostAndPort(
        _ rest: String,
        in text: String
    ) throws(EndpointError) -> Kind {
        guard let colon = rest.lastIndex(of: ":") else {
            throw .syntax(text, "the port is missing")
        }
        let host = String(rest[..<colon])
        let digits = rest[rest.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (1...65_533).contains(port)
        else {
            throw .syntax(text, "the port must be from 1 to 65533, for two more follow it")
        }
        guard host.isHost else {
            throw .syntax(
                text,
                "the host must be a name, an IPv4 address or an IPv6 address in brackets"
            )
        }
        return .tcp(host: host.lowercased() == "localhost" ? "127.0.0.1" : host, port: port)
    }
}

extension EndpointError {
    fileprivate static func syntax(_ text: String, _ why: String) -> EndpointError {
        EndpointError(
            .syntax,
            "\"\(text)\" is not an endpoint: \(why). Write ipc:///directory, tcp://host:port, or the name of "
                + "a bus that you have joined."
        )
    }
}

extension String {
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }

    /// Whether it is a host: no character of it can mean anything else in a libzmq address.
    fileprivate var isHost: Bool {
        if hasPrefix("["), hasSuffix("]") {
            let address = utf8.dropFirst().dropLast()
            return address.contains(0x3a)
                && address.allSatisfy { $0.isLetterOrDigit || ":.%".utf8.contains($0) }
        }
        return self == "*"
            || !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
    }
}
