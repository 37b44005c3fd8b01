import ProcessControl
import ProgressBus
import TaskTree

/// What is outside of the loop that minds commands: what it is told, and what it asks for.
struct RunServices: Sendable {
    let intake: SignalPipe
    let mailbox: RunMailbox
    /// Asks the bus to know what was said so far, and then puts `.flushed` into the mailbox.
    let flush: @Sendable () -> Void
    /// Has it told from now on if something below the task reports itself.
    let watchReports: @Sendable () -> Void
    /// Asks whether others report below a task of ours, and then puts `.heard` into the mailbox.
    let findReporters: @Sendable (TaskID) -> Void

    /// Puts what is asked of a command's task into the mailbox, under its number.
    func passOnRequests(of task: ProgressTask, number: Int, isPausable: Bool = true) {
        let mailbox = mailbox
        task.onCancel { mailbox.put(.request(.cancel, of: number)) }
        guard isPausable else { return }
        task.onPause { mailbox.put(.request(.pause, of: number)) }
        task.onResume { mailbox.put(.request(.resume, of: number)) }
    }
}
