import BusProtocol

/// Every time and bound of the broker, each with its default.
package struct CoreConfiguration: Sendable {
    /// What `Welcome` and `status` give as the broker's version.
    package var version = "0"
    /// This boot of the broker's machine and where its pids are valid; without both no process is
    /// watched.
    package var bootID = ""
    package var pidNamespace = ""
    /// Seconds that a succeeded or cancelled job stays in the tree.
    package var linger = 10.0
    /// Milliseconds between two updates of the tree, told to clients.
    package var tick = 50
    /// Milliseconds between heartbeats, told to clients.
    package var heartbeat = 1_000
    /// Seconds without a word after which a session is silent: three heartbeats have failed to come.
    ///
    /// The last one came up to 0.9 s before the process stopped, so that viewers see it 3 to 4 s
    /// after the stop.
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
    /// Seconds that a session's process may live on after its goodbye until what it has left
    /// unfinished is lost.
    package var remainderJudgedAfter = 3.0
    /// Seconds between beats of a quiet topic.
    package var beatEvery = 1.0
    /// Seconds between two steps that early endings may force.
    package var earlyStepEvery = 0.003
    /// Milliseconds a command waits for answers unless it says otherwise.
    package var commandTimeout = 10_000

    /// Ended jobs that wait for a viewer to dismiss them; above this number the oldest leave.
    package var endedJobsKept = 1_000
    /// At how many tasks the broker looks in one tick, of all for which each of these is due: a look
    /// for a stall, what has happened to their session, leaving the tree with their job.
    package var looksPerTick = 4_096

    /// Tasks that one session may have in the tree; further ones are refused.
    package var tasksPerSession = 1_000_000
    /// Those of them that it may have said something of without describing them.
    package var undescribedPerSession = 10_000
    /// Tasks of all sessions together: each may have as many as there is room left.
    package var tasks = 4_000_000
    /// Bytes of text that one session may state in a second before new tasks are refused.
    package var textPerSecond = 8_388_608
    /// Sessions that are there at a time, viewers included; further ones are refused.
    package var sessions = 20_000
    /// Sessions that are there over one connection; further ones are refused.
    package var sessionsPerConnection = 64
    /// Sessions of one process, where the kernel says which it is; further ones are refused.
    package var sessionsPerProcess = 256
    /// Sessions known at a time, with those that have left while their tasks are shown.
    package var knownSessions = 200_000
    /// Forgotten sessions of which it is remembered which of their tasks have left.
    package var departedSessions = 4_096
    /// Log lines kept for each job; the oldest leave.
    package var logLinesPerJob = 200
    /// Bytes of log lines of all jobs together; where an owner has no room, its job's oldest leave.
    package var logBytes = 134_217_728
    /// Rows in a chunk of a snapshot.
    package var rowsPerChunk = 256
    /// Bytes of a frame at most; tests take fewer, to have few tasks fill one.
    package var frameBytes = ProtocolLimits.frameBytes
    /// Snapshots that one session may pull at a time; the oldest is forgotten.
    ///
    /// The bridge, which pulls them for viewers of all other hosts, may pull `fleetQuestions`.
    package var listingsPerSession = 16
    /// Task ids that all snapshots under way hold together; the oldest snapshots are forgotten.
    package var listedIDs = 4_194_304
    /// Tasks that may belong to the broker itself, ended ones that are still shown included.
    package var detachedTasks = 100_000
    /// Requests about them that are remembered, so that each is carried out once; the oldest leave.
    package var detachedRequests = 100_000
    /// Seconds after which nobody repeats such a request any more.
    package var detachedRequestKept = 3_600.0
    /// Commands that may wait for answers at a time; further ones are refused.
    package var commands = 1_000
    /// Commands that one session may ask for in a second; further ones are refused.
    package var commandsPerSecond = 100
    /// Tasks that one owner may make the broker look at in a second by commands, hellos and keyframes;
    /// what passes this is carried out, what follows is not.
    package var looksPerSecond = 2_000_000
    /// So many are looked at in any case.
    package var fewTasks = 1_000
    /// Tasks that need attention that are gone through in a second, to list the first of them: about a
    /// twentieth of what the broker could.
    package var attentionPerSecond = 1_000_000
    /// Tasks that one session may look for in a second; further questions are refused.
    package var findsPerSecond = 100
    /// Looks that one search takes at most: one for each 100 bytes of a task's texts, begun or not, and
    /// each way in which the filter looks at them.
    package var looksPerSearch = 25_000
    /// Other brokers of a fleet that are shown; further ones are not.
    ///
    /// The counts of so many, each as great as it may be, have room in 64 bits.
    package var fleetBrokers = 1_000
    /// Jobs of all of them that are shown; further ones are not.
    package var fleetJobs = 20_000
    /// Seconds after which what a bridge has said is forgotten, when it is gone or another one has not said
    /// it again.
    package var fleetKept = 60.0
    /// Sessions of which it is known that they are of other brokers.
    package var fleetSessions = 100_000
    /// Questions to other brokers that may wait for answers at a time; further ones are refused.
    package var fleetQuestions = 1_000
    /// Tasks here that are parts of other brokers' jobs; further ones are jobs here.
    package var fleetParts = 20_000
    /// Seconds that one that has ended stays until its owner knows.
    package var untoldPartKept = 86_400.0
    /// Seconds that what is below a failed part can still be looked at.
    package var troubledPartKept = 3_600.0
    /// Hellos of one known session in a second; further ones are refused.
    package var hellosPerSecond = 10

    package init() {}
}
