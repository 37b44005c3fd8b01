import BusProtocol
import Foundation

/// The session that owns a process's jobs and the tickets that all others take.
struct Issuer {
    let session = PlayedSession(number: 0)
    let jobs: Int
    let tickets: Int

    /// Jobs have the indices above the tickets'.
    private func job(_ number: Int) -> UInt64 { UInt64(tickets + 1 + number) }

    /// Its whole keyframe, in chunks.
    func keyframe(sequence: () -> UInt64) -> [WireReport] {
        var descriptions: [WireDescription] = []
        for number in 0..<jobs {
            var description = WireDescription()
            description.index = job(number)
            description.title = "Photos \(number + 1)"
            description.expectedChildren = Int64((tickets + jobs - 1 - number) / jobs)
            descriptions.append(description)
        }
        for number in 1...tickets {
            var description = WireDescription()
            description.index = UInt64(number)
            description.parent.index = job((number - 1) % jobs)
            description.isTicket = true
            descriptions.append(description)
        }
        let most = ProtocolLimits.listItems
        let chunks = stride(from: 0, to: descriptions.count, by: most).map {
            descriptions[$0..<min(descriptions.count, $0 + most)]
        }
        return chunks.enumerated().map { number, chunk in
            var report = WireReport()
            report.credential = session.credential
            report.sequence = sequence()
            report.keyframe = 1
            report.keyframeChunk = UInt32(number)
            report.keyframeLast = number == chunks.count - 1
            report.descriptions = Array(chunk)
            return report
        }
    }

    /// The endings of its jobs, which it says when all others have said theirs.
    func endings(sequence: UInt64) -> WireClientFrame {
        var endings = WireEndings()
        endings.sequence = sequence
        endings.endings = (0..<jobs).map { number in
            var ending = WireEnding()
            ending.description_p.index = job(number)
            ending.description_p.title = "Photos \(number + 1)"
            ending.state = .succeeded
            ending.total = -1
            return ending
        }
        var frame = WireClientFrame()
        frame.credential = session.credential
        frame.endings = endings
        return frame
    }
}
