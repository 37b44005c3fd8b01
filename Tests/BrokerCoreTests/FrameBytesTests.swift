import BrokerCore
import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

/// No frame of a broker is above the limit, whatever clients state; `Bus` looks at each.
@Suite struct FrameBytesTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    @Test("a job with 300 children of the longest texts is shown whole, and so is each change")
    func longestRows() {
        var bus = Bus()
        let topic = Topic.job(worker.task(1))
        bus.control(worker, longestHello)
        bus.control(viewer, viewer.hello)
        bus.subscribe(topic)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
            for index in 2...301 as ClosedRange<UInt64> {
                $0.descriptions.append(longestDescription(index))
            }
        }
        bus.control(
            worker,
            .endings(
                .with {
                    $0.sequence = 2
                    for index in 2...301 as ClosedRange<UInt64> {
                        $0.folds.append(fullestFold(below: index))
                        $0.endings.append(longestEnding(index))
                    }
                }
            )
        )
        bus.pass()
        let rows = bus.rows(of: topic, asking: viewer)
        #expect(rows.map(\.task.index).sorted() == Array(1...301))
        #expect(rows.allSatisfy { $0.task.index == 1 || $0.progress.sums.count == 16 })
        #expect(rows.allSatisfy { $0.task.index == 1 || $0.progress.reason.utf8.count == 500 })
        let seen = updates(of: topic, in: bus).flatMap(\.rows).map(\.task.index)
        #expect(Set(seen) == Set(1...301))
    }

    @Test("no row is longer than it is taken for")
    func mostBytesOfARow() throws {
        var row = WireRow()
        row.task = .longest
        row.sequence = .max
        row.description_p = .with {
            $0.parent = .longest
            $0.job = .longest
            $0.key = text(ProtocolLimits.shownKeyBytes)
            $0.slot = .max
            $0.place = .max
            $0.cell = .max
            $0.title = text(ProtocolLimits.titleBytes)
            $0.unit = text(ProtocolLimits.unitBytes)
            $0.style = .spinner
            $0.background = true
            $0.tint = text(ProtocolLimits.tintBytes)
            $0.cancellable = true
            $0.pausable = true
            $0.consequence = text(ProtocolLimits.consequenceBytes)
            $0.host = text(ProtocolLimits.hostBytes)
            $0.share = .min
            $0.attempt = .max
            $0.process = longestProcess
            $0.expectedChildren = .min
            $0.depth = .max
            $0.expectedGap = 1
            $0.orphan = true
            $0.earlierAttempts = .max
        }
        row.progress = .with {
            $0.state = .lost
            $0.stalled = true
            $0.silent = true
            $0.needsAttention = true
            $0.indeterminate = true
            $0.totalIsEstimate = true
            $0.fraction = 1
            $0.displayFraction = 1
            $0.completed = .min
            $0.total = .min
            $0.rate = 1
            $0.secondsLeft = 1
            $0.begun = 1
            $0.ended = 1
            $0.active = 1
            $0.advanced = 1
            $0.detail = text(ProtocolLimits.detailBytes)
            $0.reason = text(ProtocolLimits.reasonBytes)
            $0.exitStatus = .min
            $0.exitSignal = .min
            $0.counts = .with {
                ($0.waiting, $0.running, $0.succeeded) = (.max, .max, .max)
                ($0.failed, $0.cancelled, $0.lost) = (.max, .max, .max)
            }
            $0.attention = .max
            $0.childrenLeftOut = .max
            $0.note = text(ProtocolLimits.noteBytes)
            $0.sums = sums(.min)
            $0.totalBefore = .min
        }
        #expect(bytes { $0.rows = [row] } <= row.mostBytes)
        #expect(row.mostBytes < FrameRoom.besideEntries * 6, "the first one always has room")
    }

    @Test("no removal, log line or place is longer than it is taken for")
    func mostBytesOfOthers() {
        let removed = WireRemoved.with {
            $0.task = .longest
            $0.reason = text(ProtocolLimits.reasonBytes)
        }
        #expect(bytes { $0.removed = [removed] } <= removed.mostBytes)
        let line = WireLogLine.with {
            $0.task = .longest
            $0.text = text(ProtocolLimits.logBytes)
            $0.time = 1
        }
        #expect(bytes { $0.logs = [line] } <= line.mostBytes)
    }

    @Test("what the protocol bounds by a number fits into a frame as it is")
    func boundedLists() {
        let path = (0..<ProtocolLimits.depth).map { _ in WireTaskRef.longest }
        let found = WireBrokerFrame.with {
            $0.found.tasks = (0..<ProtocolLimits.foundTasks).map { _ in
                .with {
                    $0.task = .longest
                    $0.job = .longest
                    $0.title = text(ProtocolLimits.titleBytes)
                    $0.key = text(ProtocolLimits.shownKeyBytes)
                    $0.slot = .max
                    $0.path = path
                    $0.place = path.map { _ in .max }
                }
            }
        }
        let attention = WireBrokerFrame.with {
            $0.snapshot.attention = (0..<ProtocolLimits.attentionItems).map { _ in .longest }
        }
        let hosts = WireBrokerFrame.with {
            $0.snapshot.hosts.hosts = (0..<ProtocolLimits.hosts).map { _ in
                .with {
                    $0.host = text(ProtocolLimits.hostBytes)
                    ($0.counts.waiting, $0.counts.running) = (.max, .max)
                    ($0.counts.succeeded, $0.counts.failed) = (.max, .max)
                    ($0.counts.cancelled, $0.counts.lost) = (.max, .max)
                }
            }
        }
        let members = WireBrokerFrame.with {
            $0.access.sentence = text(ProtocolLimits.sentenceBytes)
            $0.access.invitations = (0..<ProtocolLimits.accessEntries).map { _ in
                .with {
                    $0.name = text(ProtocolLimits.memberNameBytes)
                    $0.by = text(ProtocolLimits.memberNameBytes)
                    ($0.role, $0.uses, $0.expires) = (.admin, .max, .max)
                }
            }
        }
        for frame in [found, attention, hosts, members] {
            let bytes = Frame.encode(frame).count
            #expect(bytes + FrameRoom.besideEntries <= ProtocolLimits.frameBytes)
        }
    }

    @Test("very many changes go in updates that follow each other, and have each once")
    func manyChanges() {
        var bus = crowded()
        let topic = Topic.job(worker.task(1))
        bus.subscribe(topic)
        let first = bus.published.count
        bus.report(worker) {
            $0.sequence = 2
            for index in 2...1_001 as ClosedRange<UInt64> { $0.add(index, completed: 1, total: 2) }
        }
        // What comes is told with what has left.
        bus.keyframe(worker, sequence: 3) {
            for index in [1] + Array(502...1_001) as [UInt64] {
                $0.add(index, completed: 1, total: 2)
            }
        }
        bus.pass()
        let updates = bus.published.dropFirst(first).map(\.update).filter { !$0.rows.isEmpty }
        #expect(updates.count > 10)
        let all = bus.published.dropFirst(first).map(\.update)
        for (former, next) in zip(all, all.dropFirst()) {
            #expect(next.previous == former.sequence)
            #expect(next.sequence >= former.sequence)
        }
        let rows = updates.flatMap(\.rows).map(\.task.index)
        #expect(Set(rows).isSuperset(of: [1] + Array(502...1_001)))
        let removed = all.flatMap(\.removed).map(\.task.index)
        #expect(removed.sorted() == Array(2...501))
    }

    @Test("places of very many children are told in several frames")
    func manyPlaces() {
        let bus = crowded()
        let places = bus.answers(to: worker).compactMap {
            if case .places(let places) = $0 { places } else { nil }
        }
        #expect(places.flatMap(\.index).sorted() == Array(2...1_001))
        #expect(places.flatMap(\.place).sorted() == Array(1...1_000))
        #expect(places.count > 1)
    }

    @Test("log lines go in several updates, and whoever asks gets the newest that a frame holds")
    func manyLines() {
        var bus = crowded()
        let topic = Topic.log(worker.task(1))
        bus.subscribe(topic)
        bus.report(worker) {
            $0.sequence = 2
            for number in 1...200 {
                $0.logs.append(
                    .with {
                        $0.task = WireTaskRef(worker.task(1))
                        $0.text = "\(number) " + text(996)
                        $0.time = Double(number)
                    }
                )
            }
        }
        bus.pass()
        let told: [WireLogLine] = updates(of: topic, in: bus).flatMap(\.logs)
        let times: [Double] = (1...200).map { Double($0) }
        #expect(told.map(\.time) == times)
        bus.control(
            viewer,
            .snapshot(
                .with {
                    $0.request = 1
                    $0.topic = topic.name
                }
            )
        )
        guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else {
            Issue.record("no chunk")
            return
        }
        #expect(chunk.last)
        #expect(chunk.logs.count == 6)
        #expect(chunk.logs.map(\.time) == (201 - chunk.logs.count...200).map(Double.init))
    }

    @Test("very many tasks of a session are asked in several deliveries: one answer for all")
    func manyAsked() {
        for accepted in [nil, 0, 2] as [Int?] {
            var bus = crowded(of: Client(3))
            bus.control(
                viewer,
                .command(
                    .with {
                        $0.request = 7
                        $0.verb = .pause
                        $0.target = WireTaskRef(Client(3).task(1))
                    }
                )
            )
            let deliveries = bus.answers(to: worker).compactMap {
                if case .command(let delivery) = $0 { delivery } else { nil }
            }
            #expect(deliveries.count > 2)
            #expect(deliveries.flatMap(\.index).sorted() == Array(2...4_001))
            #expect(Set(deliveries.map(\.delivery)).count == deliveries.count)
            for (number, delivery) in deliveries.enumerated() {
                let isAccepted = number == accepted
                bus.control(
                    worker,
                    .commandAnswer(
                        .with {
                            $0.delivery = delivery.delivery
                            $0.outcome = isAccepted ? .accepted : .refused
                        }
                    )
                )
            }
            let results = bus.answers(to: viewer).compactMap {
                if case .commandResult(let result) = $0 { result } else { nil }
            }
            let ofWorker = results.filter { $0.session == worker.session.rawValue }
            #expect(ofWorker.map(\.outcome) == [accepted == nil ? .refused : .accepted])
            #expect(bus.machine.tables["deliveries"] == 1, "that of the job's owner is left")
        }
    }

    // MARK: - What is stated

    /// A bus of small frames with 1,000 children of one job; with 4,000 of somebody else's job.
    private func crowded(of owner: Client? = nil) -> Bus {
        var configuration = CoreConfiguration()
        configuration.frameBytes = 8_192
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer] + (owner.map { [$0] } ?? []) {
            bus.control(client, client.hello)
        }
        let job = owner ?? worker
        bus.report(job) {
            $0.sequence = 1
            $0.descriptions = [job.description(1, "Job")]
        }
        bus.report(worker) {
            $0.sequence = owner == nil ? 2 : 1
            $0.descriptions = (2...(owner == nil ? 1_001 : 4_001)).map {
                worker.description($0, "Child", parent: job.task(1))
            }
        }
        bus.pass()
        return bus
    }

    private func bytes(_ fill: (inout WireUpdate) -> Void) -> Int {
        Frame.encode(WireUpdate.with(fill)).count - FrameHeader.size
    }

    private func updates(of topic: Topic, in bus: Bus) -> [WireUpdate] {
        bus.published.filter { $0.topic == topic }.map(\.update)
    }

    private func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    private var longestProcess: WireProcess {
        .with {
            $0.host = text(ProtocolLimits.hostBytes)
            $0.pid = Int64(Int32.max)
            $0.command = text(ProtocolLimits.commandBytes)
            $0.bootID = text(ProtocolLimits.machineBytes)
            $0.pidNamespace = text(ProtocolLimits.machineBytes)
            $0.startTime = .max
            $0.exitStatus = .min
            $0.exitSignal = .min
        }
    }

    private var longestHello: WireClientFrame.OneOf_Body {
        .hello(
            .with {
                $0.session = worker.session.rawValue
                $0.process = longestProcess
            }
        )
    }

    private func longestDescription(_ index: UInt64) -> WireDescription {
        .with {
            $0.index = index
            $0.parent = WireTaskRef(worker.task(1))
            $0.title = text(ProtocolLimits.titleBytes)
            $0.unit = text(ProtocolLimits.unitBytes)
            $0.key = text(ProtocolLimits.keyBytes)
            $0.tint = text(ProtocolLimits.tintBytes)
            $0.consequence = text(ProtocolLimits.consequenceBytes)
            $0.host = text(ProtocolLimits.hostBytes)
            $0.cancellable = true
            $0.pausable = true
            $0.expectedGap = 1e9
            $0.expectedChildren = .max
        }
    }

    private func longestEnding(_ index: UInt64) -> WireEnding {
        .with {
            $0.description_p = longestDescription(index)
            $0.state = .failed
            $0.reason = text(ProtocolLimits.reasonBytes)
            $0.completed = .max
            $0.total = .max
            $0.detail = text(ProtocolLimits.detailBytes)
        }
    }

    private func fullestFold(below index: UInt64) -> WireFold {
        .with {
            $0.parent = WireTaskRef(worker.task(index))
            $0.succeeded = 1 << 40
            $0.failed = 1 << 40
            $0.cancelled = 1 << 40
            $0.sums = sums(1 << 62)
        }
    }

    private func sums(_ amount: Int64) -> [WireUnitSum] {
        (0..<ProtocolLimits.unitSums).map { number in
            .with {
                $0.unit = text(ProtocolLimits.unitBytes - 2) + "\(number + 10)"
                $0.completed = amount
                $0.total = amount
            }
        }
    }
}

extension WireTaskRef {
    fileprivate static let longest = WireTaskRef(
        TaskID(index: .max, session: SessionID(rawValue: .max))
    )
}
