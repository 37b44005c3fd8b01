import BusProtocol
import SwiftProtobuf
import TaskTree

/// Messages that the vectors and tests begin from; every number in them is fixed.
enum Samples {
    static let session = SessionID(rawValue: 0x0123_4567_89ab_cdef)
    static let other = SessionID(rawValue: 0xfedc_ba98_7654_3210)
    static let epoch: UInt64 = 0x1122_3344_5566_7788
    static let credential = [UInt8](0x10...0x1f)
    static let requestID = [UInt8](0x20...0x2f)
    /// The 21st of November 2026, 03:00 UTC.
    static let time = 1_795_230_000.0

    static func task(_ index: UInt64, of session: SessionID = session) -> WireTaskRef {
        WireTaskRef(TaskID(index: index, session: session))
    }

    /// A task of the sender's own session, as a client may write it.
    static func own(_ index: UInt64) -> WireTaskRef {
        .with { $0.index = index }
    }

    static let process = WireProcess.with {
        $0.host = "tower"
        $0.pid = 4711
        $0.command = "backup --all"
        $0.bootID = "6e2b9c9e-0a55-4e0c-9a3e-b3f1e0a7d2c4"
        $0.pidNamespace = "pid:[4026531836]"
        $0.startTime = 1_234_567
    }

    static func client(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        .with {
            $0.credentialBytes = credential
            $0.body = body
        }
    }

    static func broker(_ body: WireBrokerFrame.OneOf_Body) -> WireBrokerFrame {
        .with {
            $0.epoch = epoch
            $0.body = body
        }
    }

    static func detached(_ fill: (inout WireDetachedRequest) -> Void) -> WireClientFrame {
        client(
            .detached(
                .with {
                    $0.requestIDBytes = requestID
                    fill(&$0)
                }
            )
        )
    }

    static func report(_ fill: (inout WireReport) -> Void) -> WireReport {
        .with {
            $0.credentialBytes = credential
            $0.sequence = 7
            fill(&$0)
        }
    }

    static func update(_ fill: (inout WireUpdate) -> Void) -> WireUpdate {
        .with {
            $0.epoch = epoch
            $0.sequence = 131_072
            $0.previous = 65_536
            $0.time = time
            fill(&$0)
        }
    }

    static let job = WireDescription.with {
        $0.index = 1
        $0.title = "Back up photos"
        $0.unit = "files"
        $0.key = "nightly"
    }

    static let child = WireDescription.with {
        $0.index = 2
        $0.parent = own(1)
        $0.title = "Scan the library"
        $0.unit = "files"
        $0.share = 1
        $0.expectedChildren = 12
        $0.totalIsEstimate = true
        $0.style = .spinner
        $0.background = true
        $0.tint = "blue"
        $0.cancellable = true
        $0.pausable = true
        $0.consequence = "The index is built again from the beginning."
        $0.host = "tower"
        $0.expectedGap = 2.5
        $0.place = 1
        $0.cell = 1
        $0.begun = time - 61
    }

    static let ticket = WireDescription.with {
        $0.index = 3
        $0.parent = own(1)
        $0.isTicket = true
        $0.title = "Upload"
        $0.share = 2
    }

    static let redeemer = WireDescription.with {
        $0.index = 1
        $0.ticket = task(3, of: other)
        $0.title = "Upload to tower"
    }

    static let clock = WireClock.with {
        $0.elapsed = 61_000
        $0.active = 60_000
        $0.sinceAdvance = 12
    }

    static let ending = WireEnding.with {
        $0.description_p = child
        $0.state = .failed
        $0.reason = "The disk is full."
        $0.completed = 40
        $0.total = 100
        $0.detail = "IMG_0041.jpg"
        $0.clock = clock
        $0.time = time
    }

    /// A thousand children of share 1 that succeeded and ten that failed at a half.
    static let fold = WireFold.with {
        $0.parent = own(1)
        $0.succeeded = 1000
        $0.failed = 10
        $0.share = 1010
        let weighted = Int128(1005) << 50
        $0.weightedHigh = UInt64(truncatingIfNeeded: weighted >> 64)
        $0.weightedLow = UInt64(truncatingIfNeeded: weighted)
        $0.sums = [
            .with {
                $0.unit = "files"
                $0.completed = 1005
                $0.total = 1010
            }
        ]
        $0.removed = [4, 5, 6]
    }

    static let logLine = WireLogLine.with {
        $0.task = own(2)
        $0.text = "IMG_0041.jpg has no date"
        $0.time = time
    }

    static let endings = WireEndings.with {
        $0.sequence = 8
        $0.endings = [ending]
        $0.folds = [fold]
    }

    static let counts = WireCounts.with {
        $0.waiting = 1
        $0.running = 2
        $0.succeeded = 3
        $0.failed = 4
        $0.cancelled = 5
        $0.lost = 6
    }

    static let partBelow = WirePartBelow.with {
        ($0.waiting, $0.running, $0.lost, $0.live) = (1, 2, 1, 3)
        ($0.advancing, $0.stalled, $0.troubles, $0.alarms) = (2, 1, 1, 1)
        ($0.activeWorkers, $0.unmovedWorkers) = (2, 1)
        ($0.children, $0.unfinishedChildren) = (3, 2)
        ($0.failedChildren, $0.lostChildren) = (1, 1)
        ($0.runningChildren, $0.runningShare, $0.muteShare) = (1, 2, 1)
        ($0.runningWeightedHigh, $0.runningWeightedLow) = (0, 1 << 50)
    }

    static let row = WireRow.with {
        $0.task = task(2)
        $0.sequence = 131_072
        $0.description_p = .with {
            $0.parent = task(1)
            $0.job = task(1)
            $0.key = "nightly#2"
            $0.place = 1
            $0.cell = 1
            $0.title = "Scan the library"
            $0.unit = "files"
            $0.style = .spinner
            $0.cancellable = true
            $0.share = 1
            $0.attempt = 1
            $0.process = process
            $0.depth = 1
        }
        $0.progress = progress
    }

    static let progress = WireRowProgress.with {
        $0.state = .running
        $0.stalled = true
        $0.needsAttention = true
        $0.fraction = 0.4
        $0.displayFraction = 0.4
        $0.completed = 40
        $0.total = 100
        $0.rate = 3.5
        $0.secondsLeft = 17.25
        $0.begun = time
        $0.active = 60
        $0.advanced = time + 61
        $0.detail = "IMG_0041.jpg"
        $0.counts = counts
        $0.attention = 10
        $0.note = "waiting for 2 children"
        $0.sums = [
            .with {
                $0.unit = "files"
                $0.completed = 40
                $0.total = 100
            }
        ]
        $0.totalBefore = 80
    }

    static let totals = WireTotals.with {
        $0.jobs = .with { $0.running = 2 }
        $0.tasks = counts
        $0.needingAttention = 10
        $0.highestSlot = 65
        $0.sessions = 3
        $0.version = "0.1.0"
        $0.uptime = 12.5
        $0.refused = 1
        $0.unattached = 2
    }
}
