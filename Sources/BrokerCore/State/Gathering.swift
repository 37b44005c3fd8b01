import TaskTree

/// Commands for one task that wait until the tasks below it are found whose sessions are to be asked.
struct Gathering {
    let target: TaskID
    var walk: TopmostWalk
    var waiting: [Waiting] = []

    enum Waiting {
        /// A command, by its number.
        case command(UInt64)
        /// What was held back from a session that is welcomed by now.
        case held(CommandBook.HeldDelivery)
    }
}
