import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// The board of a fleet: own jobs on claimed pages, those of other brokers as they say.
@Suite("The board of a fleet") struct FleetTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)
    private let bridge = Client(3, viewer: true)
    private let stranger = Client(4, viewer: true)
    private var far: TaskID { TaskID(index: 1, session: SessionID(rawValue: 9_001)) }
    private let other: UInt64 = 42

    /// A job of the worker's, which a viewer sees, and a bridge.
    private func bus(configuration: CoreConfiguration = CoreConfiguration()) -> Bus {
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer, bridge] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Near")]
        }
        bus.pass()
        return bus
    }

    private func row(_ id: TaskID, slot: UInt32, _ title: String = "Far") -> WireRow {
        var row = WireRow()
        row.task = WireTaskRef(id)
        row.description_p.title = title
        row.description_p.key = title.lowercased()
        row.description_p.slot = slot
        row.description_p.job = row.task
        row.progress.state = .running
        row.progress.completed = 3
        return row
    }

    private func said(_ build: (inout WireFleetRows) -> Void) -> WireClientFrame.OneOf_Body {
        var rows = WireFleetRows()
        rows.broker = other
        rows.host = "host-b"
        build(&rows)
        return .fleetRows(rows)
    }

    private func pages(_ pages: [UInt32], trouble: String = "") -> WireClientFrame.OneOf_Body {
        var said = WireFleetPages()
        (said.pages, said.trouble) = (pages, trouble)
        return .fleetPages(said)
    }

    private func refusals(of client: Client, in bus: Bus) -> [RefusalCode] {
        bus.answers(to: client).compactMap {
            if case .refusal(let it) = $0 { RefusalCode(rawValue: it.code) } else { nil }
        }
    }

    private func totals(_ bus: inout Bus) -> WireTotals? {
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = Topic.totals.name
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else { return nil }
        return chunk.totals
    }

    private func board(_ bus: inout Bus, page: Int = 0) -> [WireRow] {
        bus.rows(of: .board(page: page), asking: viewer)
    }

    @Test(
        "a probe is told of the other hosts, those first that are not heard, but not from a member"
    )
    func hosts() {
        var bus = bus()
        for (broker, host, unheard) in [(42, "b", 0.0), (43, "d", 0), (44, "c", 1_800_000_000)] {
            var rows = WireFleetRows()
            (rows.broker, rows.host, rows.unheard) = (UInt64(broker), host, unheard)
            bus.control(bridge, .fleetRows(rows))
        }
        var probe = WireProbe()
        probe.request = 1
        func answer(_ client: Client, member: String?) -> WireProbeAnswer? {
            var frame = WireClientFrame()
            frame.credentialBytes = client.credential.bytes
            frame.body = .probe(probe)
            let actions = bus.machine.receive(
                frame,
                from: client.route,
                member: member,
                now: bus.now
            )
            bus.perform(actions)
            guard case .probe(let answer)? = bus.answers(to: client).last else { return nil }
            return answer
        }
        let told = answer(stranger, member: nil)
        #expect(told?.hosts.map(\.name) == ["c", "b", "d"] && told?.otherHosts == 0)
        #expect(told?.hosts.map(\.unheard) == [1_800_000_000, 0, 0])
        #expect(answer(stranger, member: "ann")?.hosts == [])
        bus.control(bridge, pages([0], trouble: "NATS is not reached"))
        #expect(answer(stranger, member: nil)?.trouble == "NATS is not reached")
        #expect(answer(stranger, member: "ann")?.trouble == "")
        bus.pass(70)
        #expect(answer(stranger, member: nil)?.trouble == "", "no bridge says so any more")
        bus.control(bridge, bridge.hello)
        bus.control(bridge, pages([0], trouble: "NATS is not reached"))
        bus.pass(70)
        #expect(answer(stranger, member: nil)?.trouble == "", "nor where no other host was heard")
    }

    @Test("a job of another broker is on the board, found, and counted")
    func shown() throws {
        var bus = bus()
        bus.subscribe(.board(page: 1))
        bus.control(bridge, pages([0]))
        bus.control(
            bridge,
            said {
                $0.rows = [row(far, slot: 65)]
            }
        )
        bus.pass()
        let update = try #require(bus.published.last { $0.topic == .board(page: 1) }?.update)
        #expect(update.rows.map(\.description_p.title) == ["Far"])
        #expect(update.rows.first?.sequence == update.sequence)
        #expect(update.rows.first?.description_p.host == "host-b", "no session says where it runs")
        #expect(board(&bus, page: 1).map(\.progress.completed) == [3])
        for text in ["65", "key:far", far.description, String(far.description.dropLast())] {
            #expect(bus.machine.find(text) == [far], "\(text)")
        }
        let totals = totals(&bus)
        #expect(totals?.jobs.running == 2)
        #expect(totals?.highestSlot == 65)
    }

    @Test("own jobs are on the pages that were claimed, also after a restart")
    func claimed() throws {
        var bus = bus()
        bus.subscribe(.board(page: 0))
        bus.subscribe(.board(page: 5))
        bus.control(bridge, pages([5]))
        bus.pass()
        let removed: [WireRemoved] = bus.published.filter { $0.topic == .board(page: 0) }
            .flatMap(\.update.removed)
        #expect(removed.map(\.task) == [WireTaskRef(worker.task(1))])
        let added: [WireRow] = bus.published.filter { $0.topic == .board(page: 5) }
            .flatMap(\.update.rows)
        #expect(added.map(\.description_p.slot) == [5 * 64 + 1])
        #expect(bus.machine.find("321") == [worker.task(1)])
        #expect(totals(&bus)?.highestSlot == 321)

        var next = bus.restarted()
        next.control(worker, worker.hello)
        next.control(viewer, viewer.hello)
        next.pass()
        #expect(board(&next, page: 5).map(\.description_p.slot) == [321])
    }

    @Test("an own page that nobody has claimed is behind those of others")
    func unclaimed() {
        var bus = bus()
        bus.control(bridge, said { $0.rows = [row(far, slot: 70)] })
        bus.pass()
        #expect(board(&bus, page: 2).map(\.description_p.title) == ["Near"])
        bus.control(bridge, pages([0]))
        bus.pass()
        #expect(board(&bus).map(\.description_p.slot) == [1])
    }

    @Test("what has not been heard of for a while says so, and leaves with its broker")
    func unheard() {
        var bus = bus()
        bus.control(bridge, said { $0.rows = [row(far, slot: 65)] })
        bus.control(bridge, said { $0.unheard = 1_800_000_000 })
        bus.pass()
        let progress = board(&bus, page: 1).first?.progress
        #expect(progress?.silent == true)
        #expect(progress?.note == "host host-b is silent since 08:00:00 UTC")
        bus.control(bridge, said { $0.left = true })
        bus.pass()
        #expect(board(&bus, page: 1).isEmpty)
        #expect(bus.machine.tables["brokers of the fleet"] == 0)
    }

    @Test("a host with the longest name: the note fits, and says since when")
    func longHost() {
        var bus = bus()
        let host = String(repeating: "h", count: ProtocolLimits.hostBytes)
        bus.control(
            bridge,
            said {
                $0.host = host; $0.rows = [row(far, slot: 65)]
            }
        )
        bus.control(
            bridge,
            said {
                $0.host = host; $0.unheard = 1_800_000_000
            }
        )
        bus.pass()
        let note = board(&bus, page: 1).first?.progress.note ?? ""
        #expect(note.utf8.count <= ProtocolLimits.noteBytes)
        #expect(note.hasPrefix("host hhh") && note.hasSuffix(" is silent since 08:00:00 UTC"))
    }

    @Test("a job that has left is taken off the board, by its own broker alone")
    func removed() {
        var bus = bus()
        bus.subscribe(.board(page: 1))
        bus.control(bridge, said { $0.rows = [row(far, slot: 65)] })
        bus.control(
            bridge,
            said {
                $0.broker = 43
                $0.rows = [row(far, slot: 66, "Stolen")]
                $0.removed = [WireTaskRef(far)]
            }
        )
        bus.pass()
        #expect(board(&bus, page: 1).map(\.description_p.title) == ["Far"])
        bus.control(bridge, said { $0.removed = [WireTaskRef(far)] })
        bus.pass()
        #expect(bus.published.last { $0.topic == .board(page: 1) }?.update.removed.count == 1)
        #expect(board(&bus, page: 1).isEmpty)
    }

    @Test("nobody speaks for a task that is here")
    func notHere() {
        var bus = bus()
        bus.control(
            bridge,
            said {
                $0.rows = [row(worker.task(1), slot: 1, "Forged"), row(worker.task(2), slot: 2)]
            }
        )
        bus.pass()
        #expect(board(&bus).map(\.description_p.title) == ["Near"])
        #expect(refusals(of: bridge, in: bus) == [.notPermitted])
    }

    @Test("a job that begins here is this broker's, whoever has claimed it before")
    func beginsHere() {
        var bus = bus()
        let late = Client(5)
        bus.control(bridge, pages([0]))
        bus.control(bridge, said { $0.rows = [row(late.task(1), slot: 65, "Forged")] })
        bus.pass()
        #expect(board(&bus, page: 1).count == 1)
        bus.control(late, late.hello)
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [late.description(1, "Late")]
        }
        bus.pass()
        #expect(board(&bus, page: 1).isEmpty)
        #expect(board(&bus).map(\.description_p.title) == ["Near", "Late"])
    }

    @Test("who reports tasks is no bridge")
    func reporter() {
        var bus = bus()
        bus.control(worker, pages([7]))
        bus.pass()
        #expect(board(&bus).count == 1)
        #expect(refusals(of: worker, in: bus) == [.notPermitted])
    }

    @Test("a member is no bridge")
    func member() {
        var bus = bus()
        for body in [stranger.hello, said { $0.rows = [row(far, slot: 65)] }] {
            var frame = WireClientFrame()
            frame.credentialBytes = stranger.credential.bytes
            frame.body = body
            bus.perform(
                bus.machine.receive(frame, from: stranger.route, member: "mallory", now: bus.now)
            )
        }
        bus.pass()
        #expect(board(&bus, page: 1).isEmpty)
        #expect(refusals(of: stranger, in: bus) == [.notPermitted])
    }

    @Test("the fleet has bounds, and all of it leaves with its bridge", arguments: [true, false])
    func bounds(goodbye: Bool) {
        var configuration = CoreConfiguration()
        configuration.fleetBrokers = 2
        configuration.fleetJobs = 3
        var bus = bus(configuration: configuration)
        for broker in 1...3 as ClosedRange<UInt64> {
            let jobs = (1...2).map { TaskID(index: $0, session: SessionID(rawValue: broker)) }
            let rows = jobs.map { row($0, slot: UInt32(broker * 64 + $0.index)) }
            bus.control(
                bridge,
                said {
                    $0.broker = broker
                    $0.rows = rows
                }
            )
        }
        #expect(bus.machine.tables["brokers of the fleet"] == 2)
        #expect(bus.machine.tables["jobs of the fleet"] == 3)
        if goodbye { bus.control(bridge, .goodbye(WireGoodbye())) }
        bus.pass(62, hearing: [worker, viewer])
        #expect(bus.machine.tables["brokers of the fleet"] == 0)
        #expect(bus.machine.tables["jobs of the fleet"] == 0)
        #expect(board(&bus).map(\.description_p.title) == ["Near"])
    }

    @Test("a bridge that is silent or gone: its jobs stay, and say so, for a minute")
    func bridgeSilent() {
        var bus = bus()
        bus.control(bridge, said { $0.rows = [row(far, slot: 65)] })
        bus.pass(5.5, hearing: [worker, viewer])
        #expect(board(&bus, page: 1).first?.progress.silent == true)
        #expect(
            board(&bus, page: 1).first?.progress.note.hasPrefix("host host-b is silent") == true
        )
        bus.control(bridge, .heartbeat(WireHeartbeat()))
        bus.pass(1, hearing: [worker, viewer])
        #expect(board(&bus, page: 1).first?.progress.silent == false)
        bus.pass(30, hearing: [worker, viewer])
        #expect(board(&bus, page: 1).first?.progress.silent == true)
        bus.pass(40, hearing: [worker, viewer])
        #expect(board(&bus, page: 1).isEmpty)
    }

    @Test("whoever bridges anew says all again: what is left out is silent, and goes in a minute")
    func anew() {
        var bus = bus()
        let ended = TaskID(index: 2, session: far.session)
        bus.subscribe(.board(page: 1))
        bus.control(bridge, said { $0.rows = [row(far, slot: 65), row(ended, slot: 66, "Ended")] })
        bus.pass()
        bus.control(bridge, bridge.hello)
        bus.pass(0.5)
        #expect(board(&bus, page: 1).map(\.progress.silent) == [false, false])
        bus.control(bridge, said { $0.rows = [row(far, slot: 65)] })
        bus.pass(6, hearing: [worker, viewer, bridge])
        #expect(board(&bus, page: 1).map(\.progress.silent) == [false, true])
        bus.pass(60, hearing: [worker, viewer, bridge])
        #expect(board(&bus, page: 1).map(\.description_p.title) == ["Far"])
        let removed = bus.published.flatMap(\.update.removed).map(\.task)
        #expect(removed == [WireTaskRef(ended)])
    }
}
