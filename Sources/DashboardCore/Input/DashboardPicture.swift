package import TaskTree

/// What came from the bus since the picture before.
package struct DashboardPicture: Sendable {
    package enum Connection: Hashable, Sendable {
        /// There has been no picture yet.
        case connecting
        case live
        /// What is shown is what was last known.
        case reconnecting
    }

    /// What the broker says of itself and of all its tasks.
    package struct Bus: Equatable, Sendable {
        package var version = ""
        package var isSettling = false
        package var sessions = 0
        package var jobs = StateCounts()
        package var tasks = StateCounts()
        package var needingAttention = 0
        package var highestSlot = 0

        package init() {}
    }

    /// A line that a task has said.
    package struct Message: Hashable, Sendable {
        package var task: TaskID
        package var job: TaskID
        package var text: String
        /// Unix time by the speaker's clock.
        package var time: Double

        package init(task: TaskID, job: TaskID, text: String, time: Double) {
            self.task = task
            self.job = job
            self.text = text
            self.time = time
        }
    }

    package var connection: Connection
    package var bus: Bus?
    /// Tasks that need attention, of the whole bus; at most 1,000.
    package var attention: [TaskID] = []
    /// All tasks of each part whose membership changed.
    package var members: [PicturePart: [TaskID]] = [:]
    /// Rows that are new or changed.
    package var changed: [TaskRow] = []
    /// Why tasks left a part.
    package var left: [TaskID: String] = [:]
    /// Blocks of the mosaic that changed; `ShownState` + 1 and flags in each byte, see PROTOCOL.md 6.
    package var states: [PicturePart: [UInt8]] = [:]
    package var messages: [Message] = []
    /// Whether something that is shown has not arrived yet.
    package var isLoading = false

    package init(_ connection: Connection) {
        self.connection = connection
    }
}
