import BusProtocol
import Essentials
import Logging
import ZeroMQ

extension BrokerLife {
    /// Reads who is let in at a tcp endpoint; `nil` if everybody is who reaches it.
    ///
    /// To be called after `takeLock`, which has made the directory and checked its owner.
    func openAccess(
        to endpoint: BusEndpoint,
        stateDirectory: String
    ) throws(BrokerError) -> AccessKeeper? {
        guard case .tcp = endpoint.kind else { return nil }
        if configuration.allowsLocalTCP, endpoint.isLoopback {
            logger.warning(
                "this endpoint has no keys: every user of this machine can read, report and cancel",
                metadata: ["endpoint": "\(endpoint)"]
            )
            return nil
        }
        return try AccessKeeper.open(in: stateDirectory)
    }

    /// Makes this user the first admin if there is none: otherwise nobody could invite anybody.
    ///
    /// To be called after the broker has bound its address. If that fails and the user chooses
    /// another address, no membership of the failed attempt is in the way.
    func makeAdmin(of access: AccessKeeper, at endpoint: BusEndpoint) throws(BrokerError) {
        guard access.hasNoAdmin, case .tcp(let host, let port) = endpoint.kind else { return }
        let isEverywhere = ["*", "0.0.0.0", "[::]"].contains(host)
        let address = "tcp://\(isEverywhere ? ProcessInfo.processInfo.hostName : host):\(port)"
        let bus = NamedBus(try busName(), environment: environment)
        guard let server = access.publicKey, let keys = AccessKeeper.newKeys() else {
            throw BrokerError(.systemLimit, "This libzmq can make no keys.")
        }
        let member = MemberName.from(
            (environment["USER"] ?? "admin") + "@" + ProcessInfo.processInfo.hostName
        )
        let membership = Membership(
            file: bus,
            address: address,
            server: server,
            keys: keys,
            name: member,
            role: .admin
        )
        if (try? bus.read()) != nil {
            throw BrokerError(
                .configurationInvalid,
                "This user has joined another bus \(bus.name) already (\(bus.path)): give this one "
                    + "another name with --bus."
            )
        }
        do {
            try bus.write(membership)
            try access.begin(with: keys.public, called: member)
        } catch {
            throw BrokerError(.stateUnusable, "The first key cannot be kept: \(error)")
        }
        logger.notice(
            "this user is the admin of the bus: `progressbus invite` lets others in",
            metadata: ["bus": "\(bus.name)", "key": "\(bus.path)"]
        )
    }

    /// Makes the next key the broker's own if it is due; to be called before the sockets are made.
    func takeNextKey(of access: AccessKeeper) {
        guard access.takeNextKey() else { return }
        logger.notice(
            "the broker has another key; members that were told of it go on, all others join anew"
        )
        do {
            try access.save()
        } catch {
            // The file still says that the key is due: the next broker that reads it takes the key.
            logger.warning("that cannot be kept yet", metadata: ["why": "\(error)"])
        }
    }

    private func busName() throws(BrokerError) -> String {
        if let name = configuration.bus {
            guard NamedBus.isName(name) else {
                throw BrokerError(
                    .configurationInvalid,
                    "\"\(name)\" is no name of a bus: it has letters, digits and . _ -, and begins "
                        + "with a letter or a digit."
                )
            }
            return name
        }
        let host = ProcessInfo.processInfo.hostName
        return NamedBus.isName(host) ? host : "bus"
    }
}
