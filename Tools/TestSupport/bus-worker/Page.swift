import Foundation
import ProgressBus

/// Many jobs that change all the time, and what it costs to follow the first page of them.
enum Page {
    static func jobs(_ numbers: [Int]) async {
        guard let count = numbers.first, count > 0 else { exit(64) }
        let bus = BusClient()
        let jobs = (0..<count).map { bus.beginJob("Change all the time, \($0)", total: 1_000_000) }
        while true {
            for job in jobs { job.advance() }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    static func picture(_ numbers: [Int]) async {
        guard numbers.count == 2, numbers[1] > 0 else { exit(64) }
        do {
            try await picture(ofJobs: numbers[0], seconds: numbers[1])
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(69)
        }
    }

    private static func picture(ofJobs count: Int, seconds: Int) async throws {
        let follower = BusFollower()
        var pictures = follower.viewport(ViewportSubscription([.board(page: 0)]))
            .makeAsyncIterator()
        var (shown, values, rows, bytes) = (0, 0, 0, 0)
        var began: ContinuousClock.Instant?
        var took = Duration.zero
        while took < .seconds(seconds), let picture = try await pictures.next() {
            if let members = picture.members[.board(page: 0)] { shown = members.count }
            if let began {
                took = began.duration(to: .now)
                values += 1
                rows += picture.changed.count
            } else if picture.highestSlot >= count, !picture.isLoading {
                began = .now
                bytes = follower.receivedUpdateBytes
            }
        }
        let rate = Double(follower.receivedUpdateBytes - bytes) / (took / .seconds(1))
        print(
            #"{"shown":\#(shown),"bytesPerSecond":\#(Int(rate)),"values":\#(values),"#
                + #""rows":\#(rows)}"#
        )
    }
}
