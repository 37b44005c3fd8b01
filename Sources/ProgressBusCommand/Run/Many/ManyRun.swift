import ChildProcesses
import OutputReading
import ProgressBus
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs a command for each of many arguments, as the children of one task.
struct ManyRun: Sendable {
    var template: ArgumentTemplate
    var jobs: Int
    var isNulSeparated: Bool
    var title: String?
    var key: String?
    var share: Int?
    var grace: Double
    var choice: AdapterChoice
    var keepsTail: Bool
    var endpoint: EndpointOptions

    private static let patience = Duration.seconds(2)

    /// Returns the exit status: the highest of all.
    func run() async throws -> Int32 {
        InheritedContext.fillStandardDescriptors()
        let starter = ManyStarter(
            template: template,
            endpoint: endpoint.endpoint,
            further: InheritedContext.furtherDescriptors,
            outputsAreOne: StandardStreamsPlan.Facts.present(isRead: true).outputsAreOne
        )
        let (mailbox, intake) = try RunBus.watch(RunBus.signals)
        let bus = RunBus(endpoint: endpoint)
        let parent = bus.beginTask(
            title: title,
            command: CommandTitle.of(template.words.map(\.text)),
            key: key,
            share: share
        )
        parent.onCancel { mailbox.put(.request(.cancel, of: 0)) }
        parent.onPause { mailbox.put(.request(.pause, of: 0)) }
        parent.onResume { mailbox.put(.request(.resume, of: 0)) }
        bus.join()
        let client = bus.client
        let watchReports = bus.reportWatch(below: parent, in: mailbox)
        let (failures, begun) = await onOwnThread("progressbus-run") {
            var loop = ManyLoop(
                starter: starter,
                jobs: jobs,
                grace: grace,
                choice: choice,
                keepsTail: keepsTail,
                parent: parent,
                source: ArgumentSource(template.arguments, isNulSeparated: isNulSeparated),
                intake: intake,
                mailbox: mailbox,
                flush: {
                    Task {
                        _ = await client.sync(timeout: .milliseconds(200))
                        mailbox.put(.flushed)
                    }
                },
                watchReports: watchReports
            )
            return (loop.run(), loop.begun)
        }
        for line in failures.lines(of: begun) { StandardStreams.complain(line) }
        await bus.leave(within: Self.patience)
        return failures.status
    }
}
