import BrokerCore
import TaskTree

extension JournalEntry {
    /// The journal as a disk would return it: newest of each key, nothing of jobs that left.
    static func compact(_ entries: [JournalEntry]) -> [JournalEntry] {
        var kept: [String: JournalEntry] = [:]
        var jobOf: [String: TaskID] = [:]
        for entry in entries {
            let key: String
            switch entry {
            case .sessionWelcomed(let credential, _, _, _): key = "session \(credential)"
            case .sessionLeft(let credential):
                let key = "session \(credential)"
                guard case .sessionWelcomed(_, let session, let hello, _)? = kept[key] else {
                    continue
                }
                kept[key] = .sessionWelcomed(
                    credential: credential,
                    session: session,
                    hello: hello,
                    isPresent: false
                )
                continue
            case .sessionForgotten(let credential):
                kept["session \(credential)"] = nil
                continue
            case .jobBegan(let job, _, _, _, _):
                key = "job \(job)"
                jobOf[key] = job
            case .jobLeft(let job):
                for (key, of) in jobOf where of == job { kept[key] = nil }
                continue
            case .bound(let reporter, _, let payload) where payload.isEmpty:
                kept["bound \(reporter)"] = nil
                continue
            case .bound(let reporter, let job, _):
                key = "bound \(reporter)"
                jobOf[key] = job ?? jobOf[key]
            case .row(let reporter, _, let payload) where payload.isEmpty:
                kept["row \(reporter)"] = nil
                continue
            case .row(let reporter, let job, _):
                key = "row \(reporter)"
                jobOf[key] = job ?? jobOf[key]
            case .fold(let session, let parent, _, let payload) where payload.isEmpty:
                kept["fold \(session) \(parent)"] = nil
                continue
            case .fold(let session, let parent, let job, _):
                key = "fold \(session) \(parent)"
                jobOf[key] = job ?? jobOf[key]
            case .dismissed(let task, let job):
                key = "dismissed \(task)"
                jobOf[key] = job ?? jobOf[key]
            case .earlierRuns(let job, nil):
                kept["earlier runs \(job)"] = nil
                continue
            case .earlierRuns(let job, _):
                key = "earlier runs \(job)"
                jobOf[key] = job
            case .slot(let slotKey, _, _): key = "slot \(slotKey)"
            case .detachedSession: key = "detached session"
            case .boardPages: key = "board pages"
            case .detachedRequest(let id, _, _, _): key = "detached request \(id)"
            case .detachedRequestsForgotten(let last):
                for case (let key, .detachedRequest(_, let number, _, _)) in kept
                where number <= last {
                    kept[key] = nil
                }
                continue
            case .slotForgotten(let slotKey):
                kept["slot \(slotKey)"] = nil
                continue
            }
            kept[key] = entry
        }
        return kept.sorted { $0.key < $1.key }.map(\.value)
    }
}
