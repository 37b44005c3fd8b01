import BusProtocol
import Essentials
import ProgressBus
import ProgressBusBroker
import TaskTree
import ZeroMQ

/// The checks of `doctor`, a function for each part of the bus.
enum Examination {
    /// Describes the endpoint, the versions, and the ticket or parent in the environment.
    static func environment(endpoint: BusEndpoint, origin: String) -> [Diagnostic] {
        let variables = OwnProcess.environment
        var diagnostics: [Diagnostic] = [
            .note("The bus is \(endpoint), \(origin)."),
            .note(
                "This is progressbus \(ProgressBusVersion.text), protocol "
                    + "\(ProtocolVersion.major).\(ProtocolVersion.minor), libzmq "
                    + "\(ZeroMQVersion.text)."
            ),
        ]
        if let text = variables["PROGRESSBUS_TICKET"] {
            diagnostics.append(ticket(text))
        } else if variables["PROGRESSBUS_PARENT"] == TaskID.noTask {
            diagnostics.append(
                .note(
                    "PROGRESSBUS_PARENT is \(TaskID.noTask), which `progressbus begin` prints where it "
                        + "cannot reach the bus: tasks begin as jobs."
                )
            )
        } else if let parent = variables["PROGRESSBUS_PARENT"], !parent.isEmpty {
            diagnostics.append(.note("PROGRESSBUS_PARENT is \(parent): tasks begin below it."))
        } else {
            diagnostics.append(.note("No ticket in the environment: tasks begin as jobs."))
        }
        return diagnostics
    }

    private static func ticket(_ text: String) -> Diagnostic {
        guard let ticket = ProgressTicket(text) else {
            return .bad(
                "PROGRESSBUS_TICKET is not a ticket; pass on what the issuer printed, unchanged."
            )
        }
        return .note("PROGRESSBUS_TICKET is a ticket for the task \(ticket.task).")
    }

    /// The directory, the lock and the sockets of an ipc endpoint.
    static func files(of endpoint: BusEndpoint) -> [Diagnostic] {
        guard case .ipc(let directory) = endpoint.kind else { return [access(to: endpoint)] }
        guard FileManager.default.fileExists(atPath: directory) else {
            return [.note("The directory \(directory) does not exist yet; a broker creates it.")]
        }
        var diagnostics: [Diagnostic] = []
        do {
            try endpoint.checkDirectory()
            diagnostics.append(.ok("The directory is yours alone."))
        } catch {
            diagnostics.append(.bad("\(error)"))
        }
        diagnostics.append(lock(of: endpoint))
        diagnostics += ["control", "reports", "updates"].map { socket(directory + "/" + $0) }
        return diagnostics
    }

    /// Checks whether a broker can keep its journal.
    static func state(of endpoint: BusEndpoint) -> [Diagnostic] {
        let environment = OwnProcess.environment
        let state = JournalLocation(of: endpoint, environment: environment)
        if let trouble = state.trouble() {
            return [.bad("Nothing that ends is kept over a restart of the broker. \(trouble)")]
        }
        return [.ok("The journal's directory \(state.directory) can be written.")]
    }

    private static func lock(of endpoint: BusEndpoint) -> Diagnostic {
        guard let broker = BrokerProcess(of: endpoint) else {
            return .note("No broker has written its process id into the lock file.")
        }
        guard broker.isAlive else {
            return .note("The lock file names process \(broker.pid), which is gone.")
        }
        guard !broker.isStopped else {
            return .bad("The broker, process \(broker.pid), \(broker.stoppedWords).")
        }
        return .ok("The lock file names process \(broker.pid), which is alive.")
    }

    private static func socket(_ path: String) -> Diagnostic {
        switch ipcListenerState(path: path) {
        case .listening: .ok("A broker listens on \(path).")
        case .nothing: .bad("Nobody listens on \(path); start `progressbus broker`.")
        case .unknown(let error): .bad("\(path) cannot be examined: \(error).")
        }
    }

    /// Sends a probe and a report through the broker and measures the time of each.
    static func roundTrip(through endpoint: BusEndpoint) async -> [Diagnostic] {
        let outcome = await onOwnThread("doctor") {
            Result {
                var trip = RoundTrip(through: endpoint)
                return try trip.run()
            }
        }
        switch outcome {
        case .failure(let failure): return [.bad("\(failure).")]
        case .success(let result): return diagnostics(of: result)
        }
    }

    private static func diagnostics(of result: RoundTrip.Result) -> [Diagnostic] {
        let welcome = result.welcome
        let age = "\((welcome.uptime * 10).rounded() / 10) s"
        return [
            .ok(
                "The broker is version \(welcome.version), protocol "
                    + "\(ProtocolVersion.major).\(welcome.minor), up for \(age)"
                    + (welcome.settling ? " and still gathering its tasks." : ".")
            ),
            .ok("A question on control was answered in \(milliseconds(result.controlSeconds))."),
            result.reportSeconds.map {
                .ok(
                    "A report came back as an update in \(milliseconds($0)); "
                        + "all three sockets work."
                )
            } ?? .note("Whether reports arrive can try only who may report and look."),
        ]
            + fleetHosts(result.fleet, now: Date.now.timeIntervalSince1970)
    }

    private static func milliseconds(_ seconds: Double) -> String {
        "\((seconds * 10_000).rounded() / 10) ms"
    }

    // MARK: - Keys

    /// Says who can use a tcp endpoint, or with which role this user is a member of its bus.
    private static func access(to endpoint: BusEndpoint) -> Diagnostic {
        guard let membership = endpoint.membership else {
            let who =
                endpoint.isLoopback ? "every user of this machine" : "everybody who reaches it"
            return .note(
                "You use this tcp endpoint without a key. If its broker has none, \(who) can read, "
                    + "report and cancel."
            )
        }
        let role = membership.role.map { ", \($0.rawValue)" } ?? ""
        return .note("The bus has keys; you joined it as \(membership.name)\(role).")
    }

    /// Says which connections the broker has refused, which only an admin can ask.
    static func refusedAttempts(at endpoint: BusEndpoint) async -> [Diagnostic] {
        guard endpoint.membership?.role == .admin else { return [] }
        let answer = await onOwnThread("doctor") {
            Result { () throws(AccessError) in
                try AccessExchange.ask(
                    .members(WireMembersRequest()),
                    of: endpoint,
                    within: 2
                )
            }
        }
        switch answer {
        case .failure(let error): return [.bad("Who was refused is not known: \(error.sentence)")]
        case .success(let reply): return [refused(reply.answer)]
        }
    }

    private static func refused(_ answer: WireAccessAnswer) -> Diagnostic {
        guard answer.refused > 0 else { return .ok("Nobody was refused for want of a key.") }
        let most = answer.addresses.prefix(5).map { "\($0.address) (\($0.count))" }
        return .note(
            "\(answer.refused) attempts were refused for want of a key, most of them from "
                + most.joined(separator: ", ") + "; `progressbus members` lists who may come."
        )
    }
}
