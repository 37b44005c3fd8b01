import Foundation
import ProgressBus
import TaskTree

@testable import DashboardCore

/// A bus on which something of everything is going on.
enum Samples {
    static let backup = TaskSnapshot.job(1, "Back up photos") {
        $0.counts.running = 3
        $0.counts.succeeded = 2
        $0.counts.failed = 1
        $0.options.expectedChildren = 6
        $0.options.isPausable = true
        $0.options.consequence = "12,400 imported rows will be rolled back."
        $0.detail = "IMG_0042"
        $0.attentionBelow = 1
    }

    static var board: [TaskSnapshot] {
        [
            backup,
            .libraryIndex(2),
            .job(3, "Render the film") {
                $0.isStalled = true
                $0.needsAttention = true
                $0.secondsSinceAdvance = 14
                $0.unit = "frames"
            },
            .job(4, "Upload to the mirror") {
                $0.isSilent = true
                $0.needsAttention = true
                $0.unit = "bytes"
                $0.completed = 310_000_000
                $0.total = 1_200_000_000
            },
            .job(5, "Compress the logs") {
                $0.state = .lost
                $0.needsAttention = true
                $0.exit = .signal(9)
                $0.endedAt = Date(timeIntervalSince1970: 1_795_237_300)
            },
            .job(6, "Verify") { $0.leaveOpen() },
            .job(7, "Fetch the sources") {
                $0.state = .succeeded
                $0.bothFractions = 1
                $0.completed = 100
                $0.elapsed = 93
            },
            .job(8, "Convert to AVIF") {
                $0.state = .failed
                $0.needsAttention = true
                $0.reason = "no space left on the device"
            },
            .folderWatch(9, slot: 10),
            .job(11, "Import the archive") { $0.state = .paused },
            .job(12, "Encode the interviews") {
                $0.state = .cancelling
                $0.totalBefore = 50
            },
            .job(13, "Measure") {
                $0.options.style = .spinner
                $0.bothFractions = 0.8
                $0.completed = 80
                $0.totalBefore = 50
            },
        ]
    }

    static var children: [TaskSnapshot] {
        let scan = TaskSnapshot.child(21, of: backup, "Scan", place: 1) {
            $0.state = .succeeded
            $0.bothFractions = 1
            $0.completed = 100
            $0.elapsed = 12
        }
        let upload = TaskSnapshot.child(22, of: backup, "Upload", place: 2) {
            $0.counts.running = 2
            $0.options.expectedChildren = 2
        }
        return [
            scan, upload,
            .child(23, of: backup, "Verify", place: 4) { $0.state = .waiting },
            .child(24, of: upload, "part 1", place: 1),
            .child(25, of: upload, "part 2", place: 2) { $0.isStalled = true },
        ]
    }
}
