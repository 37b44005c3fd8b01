import Foundation
import Synchronization

/// Whether somebody wants the run to end.
enum Interruption {
    /// A signal handler may do no more than set it.
    private static let flag = Atomic(false)

    static var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// From now on SIGINT, SIGTERM and SIGHUP are heeded and end nothing by themselves.
    static func expect() {
        // Made before a handler needs it.
        _ = hasCome
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
        }
    }
}
