import ArgumentParser
import BusProtocol
import TaskTree

/// `progressbus begin`: begins a task that belongs to the broker, and prints its id.
struct BeginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin",
        abstract: "Begins a task for a script and prints the id of the task.",
        discussion: """
            The broker keeps the task until `progressbus end` ends it, also across restarts of \
            the broker:

              id=$(progressbus begin "Back up" --total 3)
              progressbus advance "$id"
              progressbus end "$id"

            If PROGRESSBUS_PARENT is set, the new task is a child of that task; --parent names \
            another one. Programs that you start with PROGRESSBUS_PARENT="$id" report below the \
            new task.

            \(DetachedRun.codes)
            """
    )

    @Argument(help: "The title that viewers show, for instance: Back up photos.")
    var title: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many units there are to do; unknown if not given.",
            valueName: "number"
        )
    )
    var total: Int64?

    @Option(
        help: ArgumentHelp(
            "The unit that is counted, for instance files or bytes.",
            valueName: "word"
        )
    )
    var unit: String?

    @Option(
        help: ArgumentHelp(
            "The task that the new task is a part of.",
            discussion:
                "Its id, the beginning of its id, its key, or its slot number. An empty word: "
                + "none, even if PROGRESSBUS_PARENT is set.",
            valueName: "task"
        ),
        completion: .jobs
    )
    var parent: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many units of its parent the task is worth.", valueName: "number")
    )
    var share: Int64?

    @Option(
        help: ArgumentHelp(
            "The name that gives a job the same slot each time it runs; the title if not given.",
            valueName: "name"
        )
    )
    var key: String?

    @Option(help: ArgumentHelp("What the task is doing right now.", valueName: "text"))
    var detail: String?

    @Option(
        help: ArgumentHelp(
            "Promise a command for this task at least this often.",
            discussion:
                "If none comes for so long, viewers show the task as silent, and after three "
                + "times as long as lost, until the next one comes.",
            valueName: "seconds"
        )
    )
    var expectEvery: Double?

    @OptionGroup var options: DetachedOptions

    func validate() throws {
        guard !title.allSatisfy(\.isWhitespace) else {
            throw ValidationError("the title is empty; say what is being done")
        }
        if let total, total < 0 { throw ValidationError("--total is 0 or more") }
        if let share, share < 0 { throw ValidationError("--share is 0 or more") }
        if let expectEvery, !(expectEvery >= 1) {
            throw ValidationError("--expect-every is 1 second or more")
        }
    }

    func run() throws {
        var begin = WireDetachedBegin()
        begin.title = title
        begin.parent = parent ?? inheritedParent
        if let share { begin.share = share }
        if let total { begin.total = total }
        begin.unit = unit ?? ""
        begin.key = key ?? ""
        begin.detail = detail ?? ""
        if let expectEvery { begin.expectEvery = expectEvery }
        // The parent's process may first have to connect again to a broker that has just started.
        let run = DetachedRun(options, patience: 5)
        if begin.parent == TaskID.noTask {
            // The word `none` names a parent on no bus: the task begins as a job.
            try run.refuseNoTask()
            begin.parent = ""
        }
        let task = try run.ask(.begin(begin))
        do {
            try StandardStreams.print(task?.description ?? TaskID.noTask)
        } catch {
            // Without its printed id, nobody could end the task.
            if let task { try run.ask(.end(Self.takenBack(task))) }
            throw error
        }
    }

    private static func takenBack(_ task: TaskID) -> WireDetachedEnd {
        var end = WireDetachedEnd()
        end.task = WireTaskRef(task)
        end.state = .cancelled
        end.reason = "its id could not be printed"
        return end
    }

    private var inheritedParent: String {
        OwnProcess.environment["PROGRESSBUS_PARENT"].map {
            $0.isEmpty || $0 == TaskID.noTask ? $0 : "id:" + $0
        }
            ?? ""
    }
}
