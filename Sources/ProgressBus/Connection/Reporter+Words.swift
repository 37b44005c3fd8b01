import Logging
import Synchronization

/// What the client has to say to the people who run or write the program.
extension Reporter {
    /// Texts remembered so that they are said once.
    private static let rememberedTexts = 1_000

    func warn(_ sentence: String) {
        logger.warning("\(sentence)")
    }

    /// Says something unless it was said before.
    func warnOnce(_ sentence: String) {
        guard isAtHome else { return }
        let isNew = state.withLock { state in
            guard state.saidTexts.count < Self.rememberedTexts else { return false }
            return state.saidTexts.insert(sentence).inserted
        }
        if isNew { warn(sentence) }
    }

    /// Tells whoever wrote the program that a title says nothing, where that is wanted.
    func warnIfVague(_ title: String) {
        guard warnsOfMistakes, VagueTitles.contains(title) else { return }
        warnOnce(
            "The title \"\(title)\" does not say what is done: name the work and what it is done to, "
                + "for instance \"Scan the library\"."
        )
    }

    /// Tells whoever wrote the program that a job can only be lost, as its only handle is gone.
    func warnIfLeft(_ record: ReportedTask) {
        guard warnsOfMistakes, isAtHome else { return }
        let title = state.withLock { state in
            record.parent == 0 && !record.isEnded && !state.machine.isClosed ? record.title : nil
        }
        guard let title else { return }
        warnOnce(
            "\"\(title)\" was let go of before it has ended, and will be shown as lost: keep what "
                + "beginJob returns, and call succeed() or fail(_:) at the end, or use withJob."
        )
    }

    /// Looks at the machine without changing it; nil in a forked child.
    func peek<Value: Sendable>(_ look: (ReportingMachine) -> Value?) -> Value? {
        guard isAtHome else { return nil }
        return state.withLock { look($0.machine) }
    }
}
