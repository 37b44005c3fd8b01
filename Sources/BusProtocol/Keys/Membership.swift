/// How one belongs to a bus with keys: where it is, its key, and one's own.
package struct Membership: Hashable, Sendable {
    /// Where this is kept; its name is what the bus is called here.
    package let file: NamedBus
    /// Where its broker listens: `tcp://host:port`.
    package let address: String
    /// The public key of the broker.
    package var server: BusKey
    /// The one that it will have next, where it has said so.
    package var nextServer: BusKey?
    package var keys: BusKeyPair
    /// What the broker calls this member; for people.
    package var name: String
    /// What the broker lets it do; for people, as the broker decides.
    package var role: Role?

    package init(
        file: NamedBus,
        address: String,
        server: BusKey,
        nextServer: BusKey? = nil,
        keys: BusKeyPair,
        name: String,
        role: Role?
    ) {
        self.file = file
        self.address = address
        self.server = server
        self.nextServer = nextServer
        self.keys = keys
        self.name = name
        self.role = role
    }

    package var bus: String { file.name }

    /// What its file holds: a word and a value a line.
    package var text: String {
        let next = nextServer.map { "\nnext-server \($0.text)" } ?? ""
        return """
            # A bus of progressbus and this user's key to it: nobody else may read it.
            address \(address)
            server \(server.text)\(next)
            public \(keys.public.text)
            secret \(keys.secret.text)
            role \(role?.rawValue ?? "unknown")
            name \(name)

            """
    }

    /// Reads what a file holds; `nil` if something is missing or is not what it should be.
    package init?(file: NamedBus, parsing text: String) {
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { values[words[0]] = words[1] }
        }
        guard let address = values["address"],
            let server = values["server"].flatMap({ BusKey(text: $0) }),
            let own = values["public"].flatMap({ BusKey(text: $0) }),
            let secret = values["secret"].flatMap({ BusKey(text: $0) })
        else { return nil }
        self.init(
            file: file,
            address: String(address),
            server: server,
            nextServer: values["next-server"].flatMap { BusKey(text: $0) },
            keys: BusKeyPair(public: own, secret: secret),
            name: values["name"].map(String.init) ?? "",
            role: values["role"].flatMap { Role(rawValue: String($0)) }
        )
    }
}
