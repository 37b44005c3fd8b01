/// This user's membership of a bus with keys: the bus's address, its key, and the user's own keys.
package struct Membership: Hashable, Sendable {
    /// The file that the membership is kept in; its name is what the bus is called here.
    package let file: NamedBus
    /// Where its broker listens: `tcp://host:port`.
    package let address: String
    /// The public key of the broker.
    package var server: BusKey
    /// The broker's next key, if the broker has announced one.
    package var nextServer: BusKey?
    package var keys: BusKeyPair
    /// What the broker calls this member; for people.
    package var name: String
    /// The member's role, for people only: the broker decides what a member may do.
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

    /// The text of its file: a word and a value in each line.
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
