import ArgumentParser
import BusProtocol
import FleetCore

/// `progressbus bus`: runs NATS servers for a fleet, and says which hosts may join it.
struct BusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bus",
        abstract: "Sets up and runs what the hosts of a fleet meet at.",
        discussion: """
            A fleet is many hosts that show one board. They meet at one server of NATS, three or five:

              progressbus bus up --server fleet.example.org
              progressbus bus add render-1 > render-1.fleet
              progressbus bus status

            What `add` prints is the file ~/.config/progressbus/fleet of render-1, with a key of its \
            own: a broker that runs there joins within 5 s, and so does each that a command starts. \
            All that is sent is encrypted, and no host can speak for another.

            For three servers name all of them with `up`, on one machine; copy its directory \
            ~/.config/progressbus/servers to the two others, and start each with `up --here NAME`. \
            `add` and `remove` on that one machine; then copy the directory again, and run `up --here \
            NAME` once more on each.

            Exit codes: 0; 64 a wrong argument; 65 there is no such host; 69 nats-server or openssl is \
            missing, or `status` finds no server that runs; 73 the directory cannot be used; 75 nats-server does not start or end.
            """,
        subcommands: [
            BusUpCommand.self, BusAddCommand.self, BusRemoveCommand.self, BusStatusCommand.self,
            BusDownCommand.self,
        ]
    )
}

/// Which of the fleet's servers is on this machine.
struct FleetServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server that is this machine; if not given, the first one of the fleet.",
            valueName: "name"
        )
    )
    var here: String?

    /// Opens the fleet's directory, its plan and the server of this machine.
    func open() throws(CommandFailure) -> (FleetDirectory, FleetPlan, FleetServer) {
        let directory = FleetDirectory(environment: OwnProcess.environment)
        guard let plan = try directory.plan() else {
            throw CommandFailure(
                .usage,
                "this machine has no fleet: begin with `progressbus bus up --server NAME`, and the "
                    + "name by which the hosts reach it"
            )
        }
        guard let server = plan.servers.first(where: { here == nil || $0.name == here }) else {
            let names = plan.servers.map(\.name).joined(separator: ", ")
            throw CommandFailure(.usage, "the fleet has no server \(here ?? ""): it has \(names)")
        }
        return (directory, plan, FleetServer(server, in: directory))
    }
}

struct BusUpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Starts the server, after setting up the fleet where there is none yet."
    )

    @Option(
        name: .customLong("server"),
        help: ArgumentHelp(
            "How the hosts reach a server: its name or IPv4 address, and :PORT if not "
                + "\(FleetPlan.usualPort). Once, three or five times; for a new fleet.",
            valueName: "name"
        )
    )
    var servers: [String] = []

    @Option(
        help: ArgumentHelp("What a new fleet is called; if not given, fleet.", valueName: "name")
    )
    var bus: String?

    @OptionGroup var options: FleetServerOptions

    func validate() throws {
        guard [0, 1, 3, 5].contains(servers.count) else {
            throw ValidationError("a fleet has one server, three or five")
        }
        if let wrong = servers.first(where: { FleetPlan.Server($0) == nil }) {
            throw ValidationError("--server \(wrong): write NAME or NAME:PORT")
        }
        if let bus, !FleetSubjects.isValid(bus: bus) {
            throw ValidationError("--bus \(bus) is no name of a fleet: use \(FleetSubjects.rule)")
        }
        let names = servers.compactMap { FleetPlan.Server($0)?.name }
        if let here = options.here, !names.isEmpty, !names.contains(here) {
            throw ValidationError("--here \(here) is none of the servers")
        }
    }

    func run() throws {
        let named = servers.compactMap { FleetPlan.Server($0) }
        let directory = FleetDirectory(environment: OwnProcess.environment)
        var plan = try directory.plan()
        if let plan {
            guard named.isEmpty || named == plan.servers, (bus ?? plan.bus) == plan.bus else {
                throw CommandFailure(
                    .usage,
                    "\(directory.path) is of the fleet \(plan.bus) as it is: leave --server and "
                        + "--bus out, or remove that directory to begin anew"
                )
            }
        } else if !named.isEmpty {
            plan = FleetPlan(bus: bus ?? "fleet", servers: named)
            try StandardStreams.print("keys and certificates are in \(directory.path)")
        }
        if let plan {
            // Also where there was a plan: the directory may be a copy from another machine, and an
            // `up` that was interrupted may have left certificates to be made.
            try directory.save(plan)
            try directory.makeCertificates(for: plan)
        }
        let (_, current, server) = try options.open()
        try server.start()
        try server.reload()
        try StandardStreams.print(server.words(of: try server.pid(), in: current))
        if current.members.isEmpty {
            try StandardStreams.print("let a host in: progressbus bus add HOST > HOST.fleet")
        }
    }
}

struct BusAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Lets a host into the fleet, and prints the file that it needs.",
        discussion: """
            Whoever has that file speaks as this host. It is kept nowhere else: where it is lost, or \
            in wrong hands, `remove` the host and add it again.
            """
    )

    @Argument(help: ArgumentHelp("What the host is called.", valueName: "host"))
    var name: String

    @OptionGroup var options: FleetServerOptions

    func validate() throws {
        // A period and 16 digits follow it in a certificate's name of at most 64 characters.
        guard NamedBus.isName(name), name.utf8.count <= 47 else {
            throw ValidationError(
                "\(name) is no name of a host: use 1 to 47 letters, digits and ._-"
            )
        }
    }

    func run() throws {
        var (directory, plan, server) = try options.open()
        let former = plan.hosts.first { $0.name == name }
        guard former?.key == nil else {
            throw CommandFailure(
                .usage,
                "\(name) is in already; if its file is lost, `progressbus bus remove \(name)` first"
            )
        }
        var host = former ?? FleetPlan.Host(name: name, broker: .random(in: 1 ... .max))
        host.key = .random(in: 1 ... .max)
        let file = try directory.file(for: host, of: plan)
        plan.hosts.removeAll { $0.name == name }
        plan.hosts.append(host)
        try directory.save(plan)
        try server.reload()
        try StandardStreams.print(file)
    }
}

struct BusRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes a host out of the fleet: its key is of no use any more.",
        discussion: """
            Its jobs stay on the boards for a day, and say since when nothing was heard of them. Where \
            there are three servers, each must be told: see `progressbus help bus`.
            """
    )

    @Argument(help: ArgumentHelp("What the host is called.", valueName: "host"))
    var name: String

    @OptionGroup var options: FleetServerOptions

    func run() throws {
        var (directory, plan, server) = try options.open()
        guard let index = plan.hosts.firstIndex(where: { $0.name == name && $0.key != nil }) else {
            let hosts = plan.members.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .dataError,
                "the fleet \(plan.bus) has no host \(name); it has \(hosts.isEmpty ? "none" : hosts)"
            )
        }
        plan.hosts[index].key = nil
        try directory.save(plan)
        try server.reload()
        let rest = "; the other servers let it in until each has this directory and `up` again"
        try StandardStreams.print(
            "\(name) is out of the fleet \(plan.bus)\(plan.servers.count > 1 ? rest : "")"
        )
    }
}

struct BusStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says whether the server runs, and which hosts may join.",
        discussion: """
            Which of them are heard says `progressbus doctor` on any of them. Exits with 69 where the \
            server does not run: the first one of the fleet, or that of --here.
            """
    )

    @OptionGroup var options: FleetServerOptions

    func run() throws {
        let (directory, plan, server) = try options.open()
        let pid = try server.pid()
        try StandardStreams.print(server.words(of: pid, in: plan))
        let servers = plan.servers.map(\.address).joined(separator: ", ")
        try StandardStreams.print("fleet \(plan.bus) at \(servers); keys in \(directory.path)")
        let hosts = plan.members.map(\.name).joined(separator: ", ")
        try StandardStreams.print("hosts: \(hosts.isEmpty ? "none" : hosts)")
        guard pid != nil else { throw ExitCode.unavailable }
    }
}

struct BusDownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Ends the server; keys, certificates and what it keeps stay.",
        discussion: "The hosts go on by themselves, and meet again after the next `up`."
    )

    @OptionGroup var options: FleetServerOptions

    func run() throws {
        let (_, _, server) = try options.open()
        try StandardStreams.print(
            try server.stop() ? "nats-server has ended" : "nats-server did not run"
        )
    }
}

extension FleetServer {
    /// The first version whose servers were not seen to rejoin a cluster half connected.
    private static let firstGoodVersion = [2, 11]

    /// Says whether the server runs, and warns of an old version in a cluster.
    fileprivate func words(of pid: Int32?, in plan: FleetPlan) -> String {
        guard let pid else { return "nats-server does not run" }
        let words = "nats-server runs (pid \(pid))"
        guard plan.servers.count > 1, let version,
            version.lexicographicallyPrecedes(Self.firstGoodVersion)
        else { return words }
        return """
            \(words)
            its version \(version.map(String.init).joined(separator: ".")) is old: when one of several \
            servers comes back, some hosts may not hear others any more; `progressbus bus down` and `up` \
            on all servers cures that, and a nats-server from 2.11 on does not have it
            """
    }
}
