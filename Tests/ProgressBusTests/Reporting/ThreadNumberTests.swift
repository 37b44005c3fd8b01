import CThreadNumber
import Foundation
import Synchronization
import Testing

@Suite("Numbers of threads")
struct ThreadNumberTests {
    @Test("Every thread that asks gets a number of its own, also after others have ended")
    func distinct() async {
        let numbers = Numbers()
        for _ in 0..<4 {
            await withTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask { await numbers.takeOne() }
                }
            }
        }
        let taken = numbers.taken.withLock { $0 }
        #expect(taken.count == 40)
        #expect(Set(taken.map(\.claimed)).count == 40)
        for number in taken {
            #expect(number.before == 0)
            #expect(number.claimed != 0)
            #expect(number.claimed != .max)
            #expect(number.after == number.claimed)
            #expect(number.claimedAgain == number.claimed)
        }
    }
}

private final class Numbers: Sendable {
    struct OfThread {
        var before: UInt32
        var claimed: UInt32
        var after: UInt32
        var claimedAgain: UInt32
    }

    let taken = Mutex<[OfThread]>([])

    /// From a new thread, which ends then.
    func takeOne() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let number = OfThread(
                    before: progressbus_thread_number(),
                    claimed: progressbus_claim_thread_number(),
                    after: progressbus_thread_number(),
                    claimedAgain: progressbus_claim_thread_number()
                )
                self.taken.withLock { $0.append(number) }
                continuation.resume()
            }
        }
    }
}
