import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// `progressbus wait`: waits until jobs have ended, for scripts.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits until jobs have ended; the exit code says how.",
        discussion: """
              progressbus wait "nightly copy" && echo "copied"

            A job that has already ended counts as long as it is on the board.

            Exit codes, the first that holds: 1 a job failed, 3 a job was lost, 4 a job was \
            cancelled, 0 all succeeded (with --any, the first that ended); 124 --timeout is over; \
            65 the name fits no task or several; 69 there is no broker and none is started, or a \
            task has left the board before its ending was seen; 77 your key may not look; 130 after \
            Ctrl-C.
            """
    )

    @Argument(
        help:
            "The jobs or tasks to wait for: slot number, key:NAME, id:ID, the beginning of an id, or key.",
        completion: .jobs
    )
    var jobs: [String]

    @Flag(help: "End as soon as one of the jobs has ended.")
    var any = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds to wait at most.",
            discussion: "If not given, as long as it takes.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @OptionGroup var bus: ViewedBusOptions

    func validate() throws {
        if let timeout, !(timeout >= 0) { throw ValidationError("--timeout is 0 or more seconds") }
    }

    func run() async throws {
        let wasBroker = try await bus.ensureBrokerIfAnyWas()
        let follower = bus.follower(for: "wait")
        defer { follower.close() }
        let keeper = Task { if wasBroker { await bus.keepBroker() } }
        defer { keeper.cancel() }
        let wait = JobWait(follower: follower, endsWithFirst: any)
        do {
            let code: ExitCode
            do {
                code = try await wait.run(jobs.map { TaskSelector($0) }, seconds: timeout)
            } catch let error as FollowError where error.code == .noBroker {
                // The broker may have died since it was looked for: then another one is started.
                try await bus.ensureBrokerIfAnyWas()
                code = try await wait.run(jobs.map { TaskSelector($0) }, seconds: timeout)
            }
            if code != .success { throw code }
        } catch let error as FollowError {
            throw CommandFailure(error)
        }
    }
}
