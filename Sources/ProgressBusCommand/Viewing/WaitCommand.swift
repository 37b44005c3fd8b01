import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// `progressbus wait`: until jobs have ended, for scripts.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits until jobs have ended, prints how, and ends with a code that says so.",
        discussion: """
              progressbus wait "nightly copy" && echo "copied"

            A JOB is a slot in digits, key:NAME, id:ID, the beginning of an id, or a key; any task \
            of a job can be named so. What has ended already counts as long as it is on the board.

            Exit codes, the first that holds: 1 one has failed, 3 one was lost, 4 one was \
            cancelled, 0 all have succeeded, or with --any the first that ended; 124 the time of \
            --timeout is up; 65 there is no such task or several; 69 there is no broker and none \
            is started, or a task has left and nobody saw how it ended; 130 after Ctrl-C.
            """
    )

    @Argument(help: "The jobs or tasks to wait for.", completion: .jobs)
    var jobs: [String]

    @Flag(help: "Wait for the first of them to end, not for all.")
    var any = false

    @Option(
        help: ArgumentHelp(
            "How long to wait at most.",
            discussion: "Without it, as long as it takes.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @OptionGroup var bus: EndpointOptions

    func validate() throws {
        if let timeout, !(timeout >= 0) { throw ValidationError("--timeout is 0 or more seconds") }
    }

    func run() async throws {
        try await bus.ensureBrokerIfAnyWas()
        let follower = BusFollower(
            BusConfiguration(endpoint: bus.endpoint, program: "progressbus wait")
        )
        defer { follower.close() }
        let keeper = Task { await bus.keepBroker() }
        defer { keeper.cancel() }
        let wait = JobWait(follower: follower, endsWithFirst: any)
        do {
            let code = try await wait.run(jobs.map { TaskSelector($0) }, seconds: timeout)
            if code != .success { throw code }
        } catch let error as FollowError {
            throw CommandFailure(error)
        }
    }
}
