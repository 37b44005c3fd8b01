import Foundation
import ProgressBus
import TaskTree

/// A bus of its own, everybody on it, and what happens to them.
///
/// Everything random is drawn from the seed; what the processes make of it depends on the machine.
final class Round {
    struct Worker {
        var process: ChildProcess
        var ledger: String
        var ticket: Ticket?
        /// Whether it is at work on another machine, and the process here has an ssh that does.
        var isRemote = false
    }

    struct Ticket {
        var text: String
        var tries = 0
        /// Not before; a killed holder is to be noticed first.
        var due = ContinuousClock.now
    }

    let plan: ChaosPlan
    let place: ChaosPlace
    let seconds: Int
    var chance: Chance
    var tally: Tally
    var ledger = Ledger()

    var workers: [Worker] = []
    var tickets: [Ticket] = []
    var viewers: [ChildProcess] = []
    var viewerEnds: [pid_t: ContinuousClock.Instant] = [:]
    var hostile: ChildProcess?
    var broker: ChildProcess?
    var brokerDue = ContinuousClock.now
    var far: RemoteSide?
    var disk: SmallDisk?
    var roomAt: ContinuousClock.Instant?
    var spooled: Set<String> = []
    /// Tickets that nobody gave away and the conductor has found in a ledger.
    var found: Set<TaskID> = []
    private var processes = 0

    init?(_ plan: ChaosPlan, seed: UInt64, seconds: Int, _ tally: Tally) {
        self.plan = plan
        self.seconds = seconds
        self.tally = tally
        var chance = Chance(seed)
        // Paths of sockets end at 103 bytes.
        place = ChaosPlace(
            directory: "/tmp/bus-chaos-\(getpid())-\(tally.rounds)",
            port: plan.hasKeys ? chance.number(20_000...32_000) : nil
        )
        self.chance = chance
        // For the follower of this process itself.
        setenv("XDG_CONFIG_HOME", place.configuration, 1)
        do {
            for path in [
                place.directory, place.sockets, place.state, place.ledgers, place.tickets,
                place.configuration,
            ] {
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700]
                )
            }
        } catch {
            complain("\(place.directory) cannot be made: \(error)")
            return nil
        }
        disk = SmallDisk(at: place.state)
        if disk == nil, tally.rounds == 1 {
            say("not permitted to mount a small file system: the full disk is left out")
        }
    }

    /// Lets it all loose, calms it, and compares; `false` if a process could not be started.
    func run() async -> Bool {
        guard await makeKeys() else { return false }
        if plan.hasSSH {
            far = await RemoteSide(in: place.directory, port: chance.number(20_000...32_000))
            guard far != nil else {
                complain("there is no sshd, or it does not start")
                return false
            }
        }
        startHostile()
        guard hostile != nil, await storm(), await calm() else { return false }
        await judge()
        return true
    }

    func startHostile() {
        let seed = chance.number(1...999_999)
        let files = [ChaosPlan.vectors, "\(seed)", place.hostileFrames]
        hostile = start("bus-chaos", ["hostile"] + files)
    }

    func countHostileFrames() {
        let text = try? String(contentsOfFile: place.hostileFrames, encoding: .utf8)
        tally.hostileFrames += text.flatMap { Int($0) } ?? 0
    }

    /// Starts a program of this build on the bus of this round.
    func start(
        _ program: String,
        _ arguments: [String],
        adding additions: [String: String] = [:],
        output: String? = nil
    ) -> ChildProcess? {
        processes += 1
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("PROGRESSBUS_")
        }
        environment["PROGRESSBUS_ENDPOINT"] = place.endpoint
        environment["PROGRESSBUS_STATE"] = place.state
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return ChildProcess(
            ChaosPlan.programs + "/" + program,
            arguments,
            environment: environment.merging(additions) { $1 },
            output: output ?? place.directory + "/\(processes).\(program).log"
        )
    }

    /// Ends what still runs and removes everything but, if wanted, the ledgers and logs.
    func remove(keepingFiles: Bool) {
        for process in workers.map(\.process) + viewers + [hostile, broker].compactMap(\.self) {
            process.destroy()
        }
        far?.end()
        if keepingFiles {
            // What is on the small disk goes with it.
            let copy = place.directory + "/journal"
            try? FileManager.default.copyItem(atPath: place.state, toPath: copy)
            say("ledgers, logs and journal are in \(place.directory)")
        }
        disk?.unmount()
        if !keepingFiles { try? FileManager.default.removeItem(atPath: place.directory) }
    }
}
