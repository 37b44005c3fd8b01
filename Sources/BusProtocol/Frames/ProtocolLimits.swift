import TaskTree

/// How much of anything a frame may hold.
///
/// The section "Limits" of `PROTOCOL.md` has the same table with the codes.
///
/// Texts are counted in bytes of UTF-8.
package enum ProtocolLimits {
    /// One frame of a broker, header included; libzmq's MAXMSGSIZE at clients.
    package static let frameBytes = 1_048_576
    /// One frame of a client, header included; libzmq's MAXMSGSIZE at the broker.
    ///
    /// The broker takes one frame of each connection in turn. So a connection that sends without a
    /// pause makes the others wait for as long as one frame takes.
    package static let clientFrameBytes = 65_536
    /// The credential in every frame of a client: exactly this many bytes.
    package static let credentialBytes = 16
    /// The id of a request about a detached task: exactly this many bytes.
    package static let requestIDBytes = 16

    /// The title of a task.
    package static let titleBytes = 200
    /// What a task is doing right now.
    package static let detailBytes = 500
    /// Why a task failed, was cancelled or left.
    package static let reasonBytes = 500
    /// The word for what is counted.
    package static let unitBytes = 50
    /// The key that identifies a job across runs.
    package static let keyBytes = 200
    /// A key as viewers see it: with `#2` and so on for a second live job of the same key.
    package static let shownKeyBytes = 212
    /// The name of a colour.
    package static let tintBytes = 20
    /// What would be lost by cancelling.
    package static let consequenceBytes = 500
    /// One log line.
    package static let logBytes = 1000
    /// A note of the broker in a row, such as "waiting for 2 children" or "run 2; run 1 failed: …".
    package static let noteBytes = 200
    /// The name of a host.
    package static let hostBytes = 255
    /// A command line.
    package static let commandBytes = 500
    /// Program and version of a client, and the version of a broker.
    package static let clientBytes = 200
    /// The boot id and the pid namespace of a process.
    package static let machineBytes = 100
    /// The name of a topic.
    ///
    /// libzmq 4.3.4 loses subscriptions of 246 to 255 bytes.
    package static let topicBytes = 200
    /// A message to the updates socket: a subscription, or a message of the ZMTP handshake.
    package static let subscriptionBytes = 256
    /// What somebody looks for with `Find`.
    package static let findBytes = 256
    /// The filter of a search.
    package static let filterBytes = 400
    /// The text of an answer to a command.
    package static let answerBytes = 500
    /// The sentence of a refusal, and what a bridge says of its trouble.
    package static let sentenceBytes = 1000
    /// The position in a snapshot; only the broker reads it.
    package static let cursorBytes = 64

    /// Levels below a job that are counted and shown; a job has depth 0.
    package static let depth = 64
    /// How many of its parent's units one child may be worth.
    package static let maxShare: Int64 = 1 << 48
    /// The sum of the shares in one fold.
    package static let maxFoldedShare = UInt64(Int64.max)
    /// The number of children in one state in one fold.
    package static let maxFoldedCount: UInt64 = 1 << 40
    /// Milliseconds in an owner's clock; every double holds these exactly.
    package static let maxMilliseconds: UInt64 = 1 << 53
    /// A point of time in Unix seconds: the end of the year 9999.
    package static let maxUnixTime: Double = 253_402_300_799
    /// Seconds between two advances that an owner may state as usual.
    package static let maxExpectedGap = 1e9
    /// Milliseconds that a command may wait for its answers.
    package static let maxCommandTimeout: UInt32 = 600_000
    /// Milliseconds that a broker may ask for between heartbeats, and for its tick.
    package static let maxInterval: UInt32 = 60_000
    /// The greatest number of a slot, place, cell, page or block.
    package static let maxPlace: UInt32 = (1 << 31) - 1

    /// The greatest number of an attempt at a ticket's task; the tree looks at all attempts when
    /// one of them changes.
    package static let maxAttempt: UInt32 = 10_000
    /// The greatest number of tasks in a field for viewers; the sum of six fits into an `Int`.
    package static let maxCount: UInt64 = 1 << 53

    /// The list entries of a client's frame, taken together.
    ///
    /// They are descriptions, state changes, endings, folds, log lines, rows and removed jobs. A
    /// broker takes in so many within some milliseconds, and one frame of each connection in turn.
    package static let listItems = 256
    /// Indices that the folds of a client's frame name as removed, taken together.
    package static let removedIndices = 4_096
    /// Units in the sums of one fold or row: with more the amounts have nothing in common.
    package static let unitSums = UnitSum.limit
    /// Tasks on topic `attention`.
    package static let attentionItems = 1000
    /// Cells in one block of topic `states`.
    package static let stateCells = 4096
    /// Slots on one page of topic `board`.
    package static let boardSlots = 64
    /// Pages of the board that a fleet may have; `ownedPages` is how many of them one broker may.
    package static let fleetPages: UInt32 = 1 << 20
    package static let ownedPages = 1_024
    /// Places in one block of topic `children`.
    package static let childPlaces = 64
    /// Tasks in the answer to `Find`.
    package static let foundTasks = 100
    /// The name of a member of a bus with keys.
    package static let memberNameBytes = 64
    /// How often one invitation may be used.
    package static let maxUses: UInt32 = 100_000
    /// How long an invitation may be valid: a year.
    package static let maxInvitationSeconds: UInt32 = 366 * 86_400
    /// Members, invitations and addresses in one answer about access, taken together.
    package static let accessEntries = 500
    /// Hosts that are named one by one: in counts of tasks by host, and in the answer to a probe.
    package static let hosts = 100
}
