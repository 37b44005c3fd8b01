import DashboardCore
import ProgressBus
import TaskTree

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DashboardPicture {
    /// What the dashboard needs of a picture; durations were right at `now`.
    init(_ picture: Picture, madeAt now: Moment) {
        self.init(Connection(picture.connection))
        if let broker = picture.broker {
            bus = Bus(broker, highestSlot: picture.highestSlot)
        }
        attention = picture.attention
        members = picture.members
        changed = picture.changed.map { TaskRow($0, madeAt: now) }
        for departure in picture.left { left[departure.task.id] = departure.reason }
        states = picture.states
        messages = picture.messages.map {
            Message(
                task: $0.task,
                job: $0.job,
                text: $0.text,
                time: $0.time.timeIntervalSince1970
            )
        }
        isLoading = picture.loading
    }
}

extension DashboardPicture.Connection {
    init(_ connection: Board.Connection) {
        self =
            switch connection {
            case .connecting: .connecting
            case .live: .live
            case .reconnecting: .reconnecting
            }
    }
}

extension DashboardPicture.Bus {
    init(_ broker: Board.Broker, highestSlot: Int) {
        self.init()
        version = broker.version
        isSettling = broker.isSettling
        sessions = broker.sessions
        jobs = StateCounts(broker.jobCounts)
        tasks = StateCounts(broker.taskCounts)
        needingAttention = broker.needingAttention
        self.highestSlot = highestSlot
    }
}
