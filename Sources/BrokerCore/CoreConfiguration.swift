import BusProtocol

/// Every time and bound of the broker, each with its default.
package struct CoreConfiguration: Sendable {
    /// What `Welcome` and `status` give as the broker's version.
    package var version = "0"
    /// The ids of this boot of the broker's machine and of its pid namespace; if one of them is
    /// empty, the broker watches no process.
    package var bootID = ""
    package var pidNamespace = ""
    /// Seconds that a succeeded or cancelled job stays in the tree.
    package var linger = 10.0
    /// Milliseconds between two updates of the tree, told to clients.
    package var tick = 50
    /// Milliseconds between heartbeats, told to clients.
    package var heartbeat = 1_000
    /// Seconds without a frame after which a session is silent: three heartbeats have not come.
    ///
    /// The last heartbeat came up to 0.9 s before the process stopped, so that viewers see the
    /// silence 3 to 4 s after the stop.
    package var silentAfter = 3.9
    /// Seconds without a word after which a session is lost: at least 10 after the stop.
    package var lostAfter = 10.95
    /// Seconds that a new broker waits for the keyframes of sessions it knows from the journal.
    package var settleFor = 2.0
    /// Seconds after its welcome at which a worker without a keyframe is asked for one.
    package var keyframeAfter = 2.0
    /// Seconds after which a ticket nobody redeemed is cancelled, once its parent has ended.
    package var neverBegunAfter = 60.0
    /// Seconds after which a task whose parent nobody reported is shown as a job.
    package var orphanAfter = 10.0
    /// Seconds that a goodbye waits for reports still on their way.
    package var goodbyeWaits = 1.0
    /// Seconds after a session's goodbye until its unfinished tasks are lost although its process
    /// lives on.
    package var remainderJudgedAfter = 3.0
    /// Seconds between beats of a quiet topic.
    package var beatEvery = 1.0
    /// Seconds between two steps that early endings may force.
    package var earlyStepEvery = 0.003
    /// Milliseconds a command waits for answers unless it says otherwise.
    package var commandTimeout = 10_000

    /// Ended jobs that wait for a viewer to dismiss them; above this number the oldest leave.
    package var endedJobsKept = 1_000
    /// Tasks that the broker handles in one tick, at most, for each of these: looks at stalls,
    /// sweeps of sessions, and tasks that leave the tree with their job.
    package var looksPerTick = 4_096

    /// Tasks that one session may have in the tree; further ones are refused.
    package var tasksPerSession = 1_000_000
    /// Tasks of one session that it may have reported something about without describing them.
    package var undescribedPerSession = 10_000
    /// Tasks of all sessions together: each owner may have as many as it leaves free.
    package var tasks = 4_000_000
    /// Bytes of text that one session may state in a second before new tasks are refused.
    package var textPerSecond = 8_388_608
    /// Sessions that are present at a time, viewers included; further ones are refused.
    package var sessions = 20_000
    /// Sessions that are present over one connection; further ones are refused.
    package var sessionsPerConnection = 64
    /// Sessions of one process, where the kernel says which it is; further ones are refused.
    package var sessionsPerProcess = 256
    /// Sessions known at a time, including those that have left and whose tasks are still shown.
    package var knownSessions = 200_000
    /// Forgotten sessions for which the broker remembers which of their tasks have left.
    package var departedSessions = 4_096
    /// Log lines kept for each job; the oldest leave.
    package var logLinesPerJob = 200
    /// Bytes of log lines of all jobs together; where an owner has no room, its job's oldest leave.
    package var logBytes = 134_217_728
    /// Rows in a chunk of a snapshot.
    package var rowsPerChunk = 256
    /// Bytes of a frame at most; tests set fewer, so that few tasks fill one.
    package var frameBytes = ProtocolLimits.frameBytes
    /// Snapshots that one session may pull at a time; the oldest is forgotten.
    ///
    /// The bridge, which pulls them for viewers of all other hosts, may pull `fleetQuestions`.
    package var listingsPerSession = 16
    /// Task ids that all snapshots under way hold together; the oldest snapshots are forgotten.
    package var listedIDs = 4_194_304
    /// Tasks that may belong to the broker itself, ended ones that are still shown included.
    package var detachedTasks = 100_000
    /// Requests about detached tasks that are remembered, so that each is carried out once; the
    /// oldest leave.
    package var detachedRequests = 100_000
    /// Seconds after which nobody repeats such a request any more.
    package var detachedRequestKept = 3_600.0
    /// Commands that may wait for answers at a time; further ones are refused.
    package var commands = 1_000
    /// Commands that one session may ask for in a second; further ones are refused.
    package var commandsPerSecond = 100
    /// Looks at tasks that one owner may have in a second, as `RequestAllowance` counts them; the
    /// request that passes this number is carried out, further ones are not.
    package var looksPerSecond = 2_000_000
    /// A request that needs no more looks than this is never refused for `looksPerSecond`.
    package var fewTasks = 1_000
    /// Tasks needing attention that the broker goes through in a second to list the first of them:
    /// about a twentieth of what it could.
    package var attentionPerSecond = 1_000_000
    /// Tasks that one session may look for in a second; further questions are refused.
    package var findsPerSecond = 100
    /// Looks that one search takes at most.
    ///
    /// A task takes `TaskFilter.looks` looks for each 100 bytes of its texts, a part of 100 counted
    /// as full, and at least one.
    package var looksPerSearch = 25_000
    /// Other brokers of a fleet that are shown; further ones are not.
    ///
    /// The sum of so many counts fits in 64 bits, as each is at most `ProtocolLimits.maxCount`.
    package var fleetBrokers = 1_000
    /// Jobs of all other brokers together that are shown; further ones are not.
    package var fleetJobs = 20_000
    /// Seconds after which what a bridge has reported is forgotten, if the bridge is gone or the
    /// next one has not reported it again.
    package var fleetKept = 60.0
    /// Sessions that are remembered as belonging to other brokers.
    package var fleetSessions = 100_000
    /// Questions to other brokers that may wait for answers at a time; further ones are refused.
    package var fleetQuestions = 1_000
    /// Tasks here that are parts of other brokers' jobs; further ones are jobs here.
    package var fleetParts = 20_000
    /// Seconds that an ended part stays at most while its owner does not know how it ended.
    package var untoldPartKept = 86_400.0
    /// Seconds that a failed part stays, so that viewers can look at what is below it.
    package var troubledPartKept = 3_600.0
    /// Hellos of one known session in a second; further ones are refused.
    package var hellosPerSecond = 10

    package init() {}
}
