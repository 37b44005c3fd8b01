import Foundation
import ProgressBus
import TaskTree

@testable import DashboardCore

/// The tasks of the scenes.
enum SceneBus {
    /// When the first of them began.
    static let begun = 1_795_237_200.0

    /// A running job with numbers.
    private static func work(
        _ slot: Int,
        _ title: String,
        _ completed: Int64,
        of total: Int64,
        _ unit: String,
        rate: Double,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        .job(slot, title) {
            $0.unit = unit
            $0.completed = completed
            $0.total = total
            $0.bothFractions = Double(completed) / Double(total)
            $0.rate = rate
            $0.secondsLeft = Double(total - completed) / max(rate, 0.001)
            $0.elapsed = Double(completed) / max(rate, 0.001)
            $0.options.isPausable = slot % 2 == 0
            $0.startedAt = Date(timeIntervalSince1970: begun + Double(slot * 61))
            $0.process = TaskSnapshot.Process(
                host: slot % 3 == 0 ? "render-2" : "build-1",
                pid: 4_700 + slot * 13,
                command: title.lowercased()
            )
            change(&$0)
        }
    }

    private static func ended(
        _ slot: Int,
        _ title: String,
        _ total: Int64,
        _ unit: String,
        after seconds: Double,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        work(slot, title, total, of: total, unit, rate: 0) {
            $0.state = .succeeded
            $0.rate = nil
            $0.secondsLeft = nil
            $0.elapsed = seconds
            $0.endedAt = $0.startedAt?.addingTimeInterval(seconds)
            change(&$0)
        }
    }

    static var busy: [TaskSnapshot] {
        var jobs = [
            work(1, "Back up photos", 4_211, of: 12_890, "files", rate: 31) {
                $0.detail = "photos/2021/IMG_0042.CR3"
                $0.options.isPausable = true
            },
            work(
                2,
                "Encode the interviews",
                310_000_000,
                of: 1_200_000_000,
                "bytes",
                rate: 2_400_000
            ),
            work(3, "Render the film", 812, of: 3_385, "frames", rate: 2.4) {
                $0.detail = "shot 14"
            },
            ended(4, "Fetch the sources", 218, "packages", after: 93),
            work(5, "Compile", 1_204, of: 1_310, "files", rate: 6.2) { $0.detail = "Parser.swift" },
            .libraryIndex(6) { $0.rate = 18 },
            ended(7, "Check the links", 4_096, "pages", after: 412),
            work(8, "Import the archive", 67_400, of: 120_000, "rows", rate: 410),
            work(
                9,
                "Upload to the mirror",
                22_000_000_000,
                of: 31_000_000_000,
                "bytes",
                rate: 11_000_000
            ),
            work(10, "Train the classifier", 11, of: 30, "epochs", rate: 0.021),
            ended(12, "Vacuum the database", 14, "tables", after: 38),
            work(13, "Thumbnails", 9_120, of: 9_800, "images", rate: 44) {
                $0.options.tint = "magenta"
            },
            .job(14, "Measure") {
                $0.options.style = .spinner
                $0.bothFractions = 0.8
                $0.completed = 80
                $0.unit = "samples"
            },
            work(15, "Tests", 311, of: 2_040, "tests", rate: 12) { $0.detail = "PlaceTests" },
        ]
        jobs.append(.folderWatch(17, slot: 17))
        for (slot, title) in [
            (18, "Lint"), (19, "Package for Debian"), (20, "Package for pip"), (22, "Sign"),
        ] {
            jobs.append(ended(slot, title, Int64(slot * 3), "files", after: Double(slot * 2)))
        }
        return jobs
    }

    static var trouble: [TaskSnapshot] {
        var jobs = busy.filter { ![3, 5, 8, 9, 10, 18, 19, 20, 22].contains($0.slot ?? 0) }
        jobs += [
            work(3, "Render the film", 812, of: 3_385, "frames", rate: 2.4) {
                $0.isStalled = true
                $0.needsAttention = true
                $0.secondsSinceAdvance = 14
            },
            work(5, "Compile", 1_204, of: 1_310, "files", rate: 6.2) {
                $0.state = .failed
                $0.needsAttention = true
                $0.reason = "Parser.swift:42: cannot find 'token' in scope"
                $0.exit = .status(1)
                $0.elapsed = 61
                $0.endedAt = Date(timeIntervalSince1970: begun + 400)
            },
            work(8, "Import the archive", 67_400, of: 120_000, "rows", rate: 410) {
                $0.state = .paused
                $0.options.isPausable = true
                $0.options.consequence = "12,400 imported rows will be rolled back."
            },
            work(9, "Upload to the mirror", 22_000_000_000, of: 31_000_000_000, "bytes", rate: 0) {
                $0.isSilent = true
                $0.needsAttention = true
            },
            work(10, "Train the classifier", 11, of: 30, "epochs", rate: 0.021) {
                $0.state = .lost
                $0.needsAttention = true
                $0.exit = .signal(9)
            },
            .job(11, "Verify") { $0.leaveOpen() },
            work(16, "Sync the calendar", 3, of: 9, "feeds", rate: 1) { $0.state = .cancelling },
        ]
        return jobs
    }

    /// A part of a job, from a time on.
    private static func part(
        _ number: Int,
        of parent: TaskSnapshot,
        _ title: String,
        place: Int,
        from begin: Double,
        for seconds: Double? = nil,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        .child(number, of: parent, title, place: place) {
            $0.startedAt = parent.startedAt?.addingTimeInterval(begin)
            $0.elapsed = seconds ?? 40
            if let seconds {
                $0.state = .succeeded
                $0.bothFractions = 1
                $0.completed = 100
                $0.rate = nil
                $0.secondsLeft = nil
                $0.endedAt = $0.startedAt?.addingTimeInterval(seconds)
            }
            change(&$0)
        }
    }

    /// One job with its steps.
    static var backup: [TaskSnapshot] {
        let job = work(1, "Back up photos", 4_211, of: 12_890, "files", rate: 31) {
            $0.detail = "upload"
            $0.counts.running = 3
            $0.counts.succeeded = 4
            $0.counts.failed = 1
            $0.counts.waiting = 1
            $0.options.expectedChildren = 6
            $0.elapsed = 240
            $0.attentionBelow = 1
        }
        let upload = part(24, of: job, "Upload", place: 4, from: 180) {
            $0.counts.running = 2
            $0.counts.succeeded = 1
            $0.counts.failed = 1
            $0.options.expectedChildren = 4
            $0.unit = "files"
        }
        return [
            job,
            part(21, of: job, "Scan the folders", place: 1, from: 0, for: 31),
            part(22, of: job, "Compare with the mirror", place: 2, from: 31, for: 74),
            part(23, of: job, "Compress", place: 3, from: 80, for: 96) { $0.unit = "archives" },
            upload,
            part(25, of: job, "Verify", place: 5, from: 0) {
                $0.state = .waiting
                $0.bothFractions = 0
                $0.completed = 0
                $0.startedAt = nil
                $0.elapsed = nil
                $0.rate = nil
            },
            part(26, of: upload, "photos/2019", place: 1, from: 0, for: 22),
            part(27, of: upload, "photos/2020", place: 2, from: 4, for: 30) {
                $0.state = .failed
                $0.needsAttention = true
                $0.bothFractions = 0.3
                $0.completed = 30
                $0.reason = "the mirror refused IMG_2231.CR3"
            },
            part(28, of: upload, "photos/2021", place: 3, from: 23) { $0.detail = "IMG_0042.CR3" },
            part(29, of: upload, "photos/2022", place: 4, from: 25),
        ]
    }

    /// A training with four workers of epochs.
    static var training: [TaskSnapshot] {
        let job = work(1, "Train the classifier", 43, of: 120, "epochs", rate: 0.08) {
            $0.counts.running = 8
            $0.counts.succeeded = 36
            $0.elapsed = 540
        }
        var tasks = [job]
        for worker in 1...4 {
            let row = part(worker * 100, of: job, "worker \(worker)", place: worker, from: 2) {
                $0.counts.running = 1
                $0.counts.succeeded = 9
                $0.options.expectedChildren = 12
                $0.unit = "epochs"
                $0.completed = 9
                $0.total = 12
                $0.bothFractions = 0.76
                $0.rate = 0.02
                $0.secondsLeft = 160
                $0.process = TaskSnapshot.Process(
                    host: "gpu-\(worker)",
                    pid: 90 + worker,
                    command: "train.py"
                )
            }
            tasks.append(row)
            for epoch in 1...10 {
                let begin = Double(epoch - 1) * 54
                tasks.append(
                    part(
                        worker * 100 + epoch,
                        of: row,
                        "epoch \(epoch)",
                        place: epoch,
                        from: begin,
                        for: epoch < 10 ? 52 + Double(worker) : nil
                    ) { $0.unit = "batches" }
                )
            }
        }
        return tasks
    }

    /// A film of thousands of frames.
    static var film: [TaskSnapshot] {
        let job = work(1, "Render the film", 1_612, of: 3_385, "frames", rate: 2.4) {
            $0.counts.succeeded = 1_588
            $0.counts.running = 13
            $0.counts.waiting = 1_773
            $0.counts.failed = 11
            $0.attentionBelow = 12
        }
        return [job]
            + (1...3_385).map { number in
                .child(number, of: job, "frame \(number)", place: number) {
                    $0.id = .number(10_000 + number)
                    $0.state =
                        number % 137 == 0 && number < 1_600
                        ? .failed
                        : number < 1_600 ? .succeeded : number < 1_613 ? .running : .waiting
                    $0.isStalled = number == 1_605
                    $0.needsAttention = $0.isStalled || $0.state == .failed
                }
            }
    }
}
