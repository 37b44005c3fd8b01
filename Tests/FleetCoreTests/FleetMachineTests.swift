import BusProtocol
import TaskTree
import Testing

@testable import FleetCore

@Suite("The bridge of a fleet") struct FleetMachineTests {
    @Test("each host has a page, and shows the other's job in its slot")
    func twoHosts() {
        let fleet = PlayedFleet.two()
        #expect(fleet.hosts.map(\.pages.count) == [1, 1])
        #expect(Set(fleet.hosts.flatMap(\.pages)) == [0, 1])
        let first = fleet.hosts[1].pages[0] * 64 + 1
        #expect(fleet.hosts[0].others == [first: "Far"])
        #expect(fleet.hosts[1].others == [fleet.hosts[0].pages[0] * 64 + 1: "Near"])
        #expect(fleet.hosts.flatMap(\.warnings) == [])
    }

    @Test("a job that leaves, and one that takes its slot, is seen so by others")
    func slotTakenAgain() {
        var fleet = PlayedFleet.two()
        let slot = fleet.hosts[1].pages[0] * 64 + 1
        fleet.hosts[1].hide(slot: 1)
        fleet.pass()
        #expect(fleet.hosts[0].others == [:])
        fleet.hosts[1].show("Next", slot: 1) {
            $0.task = WireTaskRef(TaskID(index: 9, session: SessionID(rawValue: 77)))
        }
        fleet.pass()
        #expect(fleet.hosts[0].others == [slot: "Next"])
    }

    @Test("what is unchanged is not said again, until a minute later")
    func repeats() {
        var fleet = PlayedFleet.two()
        let before = fleet.hosts[0].frames.count
        fleet.pass(seconds: 50)
        #expect(fleet.hosts[0].frames.count == before)
        fleet.pass(seconds: 20)
        #expect(fleet.hosts[0].frames.count == before + 1)
    }

    @Test("a rate that falls though nothing else changes is said with the next repetition")
    func renewed() {
        var fleet = PlayedFleet.two()
        fleet.hosts[1].board[1]?.progress.rate = 7
        fleet.pass(seconds: 70)
        #expect(fleet.hosts[0].frames.last?.rows.first?.progress.rate == 7)
    }

    @Test("a failure is said at once, however many numbers that rise wait")
    func urgent() throws {
        var fleet = PlayedFleet.two()
        for amount in 1...30 {
            for slot in 1...60 {
                fleet.hosts[1].show("Far", slot: slot) { $0.progress.completed = Int64(amount) }
            }
            fleet.pass(seconds: 0.1)
        }
        // It was said just now, and its numbers are to wait for those of all others.
        let last = try #require(fleet.hosts[0].frames.last?.rows.last)
        let slot = Int(last.description_p.slot) - fleet.hosts[1].pages[0] * 64
        fleet.hosts[1].show("Far", slot: slot) { $0.progress.state = .failed }
        fleet.pass(seconds: 0.3)
        let said = fleet.hosts[0].frames.suffix(4).flatMap(\.rows)
        #expect(said.contains { $0.progress.state == .failed })
    }

    @Test("hosts that say nothing of their jobs leave others their share")
    func shares() {
        var fleet = PlayedFleet.two()
        for number in 100..<600 as Range<UInt64> {
            var record = WireFleetRecord()
            (record.broker, record.life, record.time) = (number, 1, fleet.unixTime)
            fleet.receive(.record(.beat(of: number), record, isStored: false), at: 1)
        }
        var puts: [Int] = []
        for amount in 1...12 {
            for slot in 1...20 {
                fleet.hosts[1].show("Far", slot: slot) { $0.progress.completed = Int64(amount) }
            }
            fleet.pass(seconds: 0.1)
            puts.append(fleet.puts)
        }
        #expect(puts[11] - puts[3] >= 60, "\(puts)")
    }

    @Test("a host that is not heard for 4 s is said so with since when, until it is heard again")
    func unheard() {
        var fleet = PlayedFleet.two()
        fleet.silent = [1]
        fleet.pass(seconds: 3)
        #expect(fleet.hosts[0].unheard[2] == 0)
        fleet.pass(seconds: 2)
        let since = fleet.unixTime - (fleet.hosts[0].unheard[2] ?? 0)
        #expect((4.0...6.1).contains(since), "\(since)")
        fleet.silent = []
        fleet.pass(seconds: 2)
        #expect(fleet.hosts[0].unheard[2] == 0)
        #expect(fleet.hosts[0].others.values.sorted() == ["Far"])
    }

    @Test("after a day without a word it is taken off the board")
    func forgotten() {
        var fleet = PlayedFleet.two()
        fleet.silent = [1]
        fleet.pass(seconds: 10)
        let later = fleet.now.advanced(bySeconds: 1)
        fleet.hosts[0].machine.tick(at: later, unixTime: fleet.unixTime + 24 * 3_600)
        let actions = fleet.hosts[0].machine.takeActions()
        let left = actions.compactMap { action -> WireFleetRows? in
            guard case .send(let frame) = action, case .fleetRows(let rows)? = frame.body else {
                return nil
            }
            return rows
        }
        #expect(left.filter(\.left).map(\.broker) == [2])
    }

    @Test("an older record changes nothing, and is no sign of life")
    func replayed() throws {
        var fleet = PlayedFleet.two()
        let slot = fleet.hosts[1].pages[0] * 64 + 1
        let old = try #require(fleet.stream[.slot(slot, of: 2)])
        fleet.hosts[1].show("Far", slot: 1) { $0.progress.state = .failed }
        fleet.pass()
        fleet.silent = [1]
        fleet.pass(seconds: 5)
        let frames = fleet.hosts[0].frames.count
        fleet.receive(.record(.slot(slot, of: 2), old, isStored: false), at: 0)
        fleet.pass(seconds: 0.5)
        #expect(fleet.hosts[0].frames.count == frames)
        #expect(fleet.hosts[0].unheard[2] != 0)
    }

    @Test("a record about a page of somebody else, or by somebody else, is not shown")
    func forged() throws {
        var fleet = PlayedFleet.two()
        let shown = fleet.hosts[0].others
        let slot = fleet.hosts[0].pages[0] * 64 + 2
        let taken = fleet.hosts[1].pages[0] * 64 + 1
        var record = try #require(fleet.stream[.slot(taken, of: 2)])
        record.sequence += 1
        record.row.description_p.slot = UInt32(slot)
        record.row.description_p.title = "Forged"
        fleet.receive(.record(.slot(slot, of: 2), record, isStored: false), at: 0)
        record.broker = 9
        fleet.receive(.record(.slot(taken, of: 2), record, isStored: false), at: 0)
        fleet.pass(seconds: 0.5)
        #expect(fleet.hosts[0].others == shown)
    }

    @Test("a bridge that begins again keeps its pages, and takes away what its broker has no more")
    func bridgeBeginsAgain() {
        var fleet = PlayedFleet.two()
        let pages = fleet.hosts[1].pages
        fleet.hosts[1].hide(slot: 1)
        fleet.hosts[1].show("Second", slot: 2)
        fleet.begin(1, pages: pages)
        fleet.pass(seconds: 3)
        #expect(fleet.hosts[1].pages == pages)
        #expect(fleet.hosts[0].others == [pages[0] * 64 + 2: "Second"])
        #expect(fleet.hosts[1].others.values.sorted() == ["Near"])
    }

    @Test("a broker that begins anew is told all again")
    func brokerBeginsAgain() {
        var fleet = PlayedFleet.two()
        let others = fleet.hosts[0].others
        var who = WireBrokerFrame()
        who.who = WireWho()
        fleet.receive(.frame(who), at: 0)
        fleet.pass()
        #expect(fleet.hosts[0].others == others)
        #expect(fleet.hosts[1].others.values.sorted() == ["Near"])
    }

    @Test("two bridges with one number say so; words of an own former life are none")
    func twins() throws {
        var fleet = PlayedFleet.two()
        let own = try #require(fleet.stream[.page(fleet.hosts[0].pages[0])])
        var record = WireFleetRecord()
        record.broker = 1
        record.host = "copy"
        for life in [own.life, own.life - 1, own.life + 1] {
            #expect(fleet.hosts[0].warnings == [])
            record.life = life
            fleet.receive(.record(.beat(of: 1), record, isStored: false), at: 0)
        }
        #expect(fleet.hosts[0].warnings.count == 1)
        #expect(fleet.hosts[0].warnings.first?.contains("copy") == true)
        fleet.pass(seconds: 1)
        #expect(fleet.hosts[0].trouble.contains("copy"), "doctor asks the broker")
        fleet.pass(seconds: 10)
        #expect(fleet.hosts[0].trouble == "", "the copy is gone")
    }

    @Test(
        "once its twin is gone a bridge is heard again, and the twin that began later is warned too"
    )
    func afterTwin() throws {
        var fleet = PlayedFleet.two()
        let own = try #require(fleet.stream[.page(fleet.hosts[0].pages[0])])
        var record = WireFleetRecord()
        record.broker = 1
        record.host = "copy"
        record.life = own.life + 100_000
        record.sequence = 7
        for _ in 0..<6 {
            for host in [0, 1] {
                fleet.receive(.record(.beat(of: 1), record, isStored: false), at: host)
            }
            fleet.pass()
        }
        record.row = try #require(fleet.hosts[0].board[1])
        record.row.task = WireTaskRef(TaskID(index: 9, session: SessionID(rawValue: 77)))
        record.row.description_p.slot = 9
        record.sequence = 8
        let other = FleetSubject.slot(9, of: 1)
        fleet.stream[other] = record
        fleet.receive(.record(other, record, isStored: false), at: 1)
        fleet.pass(seconds: 4)
        #expect(fleet.hosts[1].others.count == 2)
        #expect(fleet.hosts[1].unheard[1] ?? 0 > 0, "the twin alone was heard")
        fleet.pass(seconds: 6)
        #expect(fleet.hosts[1].unheard[1] ?? 0 == 0)
        #expect(fleet.hosts[1].others.values.sorted() == ["Near"], "what the twin has left is gone")
        let begun = try #require(fleet.stream[.page(fleet.hosts[0].pages[0])])
        record.life = begun.life - 1
        fleet.receive(.record(.beat(of: 1), record, isStored: false), at: 0)
        fleet.pass()
        #expect(fleet.hosts[0].trouble.contains("copy"), "of a lower life, and no late word")
    }

    @Test("what a twin has said while a bridge was away from NATS is replaced")
    func twinInStream() throws {
        var fleet = PlayedFleet.two()
        let slot = try #require(
            fleet.stream.keys.first { if case .slot(_, of: 1) = $0 { true } else { false } }
        )
        fleet.stream[slot]?.life += 100_000
        fleet.stream[slot]?.row.description_p.title = "Copy"
        let record = try #require(fleet.stream[slot])
        fleet.receive(.record(slot, record, isStored: false), at: 1)
        fleet.pass()
        #expect(fleet.hosts[1].others.values.sorted() == ["Copy"])
        fleet.receive(.missed, at: 0)
        fleet.pass(seconds: 10)
        #expect(fleet.hosts[1].others.values.sorted() == ["Near"])
    }

    @Test("that NATS is lost is said to the broker until it is reached again")
    func troubleWithNATS() {
        var fleet = PlayedFleet.two()
        fleet.receive(.disconnected, at: 0)
        fleet.receive(.trouble("the connection is lost"), at: 0)
        fleet.receive(.unreadable("a record is not read"), at: 0)
        fleet.pass(seconds: 30)
        #expect(fleet.hosts[0].warnings.count == 2)
        #expect(fleet.hosts[0].trouble == "the connection is lost")
        fleet.receive(.connected, at: 0)
        fleet.pass(seconds: 1)
        #expect(fleet.hosts[0].trouble == "")
    }

    @Test("subjects are read as they are written, and nothing else is")
    func subjects() {
        let subjects = FleetSubjects(bus: "team")
        let all: [FleetSubject] = [
            .slot(65, of: 0xabc), .page(3), .beat(of: .max), .message(.question, to: 1, from: .max),
            .message(.answer, to: 0xabc, from: 2), .message(.session, to: 1, from: 2),
            .message(.question, to: 0, from: 2),
        ]
        for subject in all { #expect(subjects.subject(subjects.name(subject)) == subject) }
        #expect(subjects.name(all[0]) == "pb1.team.slot.0000000000000abc.65")
        #expect(
            subjects.name(all[4]) == "pb1ask.team.0000000000000abc.answer.0000000000000002"
        )
        for name in [
            "pb1.other.page.3", "pb1.team.page.03", "pb1.team.page.3.4", "pb1.team.slot.abc.1", "",
            "pb1.team.page.-1", "pb1.team.page.1048576", "pb1.team.slot.0000000000000abc.0",
            "pb1.team.slot.0000000000000abc.67108865",
            "pb1.team.slot.0000000000000abc.-9223372036854775808",
            "pb1ask.team.0000000000000abc.answer.2",
            "pb1ask.team.0000000000000abc.say.0000000000000002",
            "pb1.team.0000000000000abc.answer.0000000000000002",
        ] {
            #expect(subjects.subject(name) == nil, "\(name)")
        }
        #expect(FleetSubjects.isValid(bus: "a-b_9"))
        for name in ["", "a.b", "a b", ">", String(repeating: "a", count: 33)] {
            #expect(!FleetSubjects.isValid(bus: name), "\(name)")
        }
    }

    @Test("a broker that does not answer for five seconds: said once, and not to the broker")
    func brokerMissing() {
        let begin = Moment(nanoseconds: 1_000_000_000)
        var machine = PlayedHost(number: 1, pages: [], board: [:], at: begin).machine
        var warned: [Int] = []
        for tenth in 0...200 {
            machine.tick(at: begin.advanced(bySeconds: Double(tenth) / 10), unixTime: 0)
            for case .warn in machine.takeActions() { warned.append(tenth) }
        }
        #expect(warned == [50])
        var welcome = WireBrokerFrame()
        welcome.welcome = WireWelcome()
        machine.receive(.frame(welcome), at: begin.advanced(bySeconds: 21), unixTime: 0)
        let told = machine.takeActions().compactMap { action -> String? in
            guard case .send(let frame) = action, case .fleetPages(let pages)? = frame.body else {
                return nil
            }
            return pages.trouble
        }
        #expect(told == [""])
    }

    @Test("a host whose clock is an hour ahead: its jobs began when they did by the clock here")
    func clockAhead() {
        var fleet = PlayedFleet.two()
        let slot = fleet.hosts[1].pages[0] * 64 + 1
        let began = fleet.unixTime
        fleet.hosts[1].clockAhead = 3_600
        fleet.hosts[1].show("Far", slot: 1) { $0.progress.begun = began + 3_600 }
        fleet.pass(seconds: 3)
        #expect(abs((fleet.hosts[0].begun[slot] ?? 0) - began) < 0.1)
        fleet.hosts[1].clockAhead = 0
        fleet.hosts[1].show("Far", slot: 1) { $0.progress.begun = began }
        fleet.pass(seconds: 12)
        #expect(fleet.hosts[0].begun[slot] == began)
    }

    @Test("a beat that comes late, clocks that differ by a second: times as they are said")
    func clocksAgree() {
        var clocks = ClockComparison()
        for second in 0..<20 {
            let theirs = Double(1_000 + second)
            let isOther = clocks.compare(theirs, with: theirs + (second == 7 ? 30 : 1))
            #expect(!isOther && clocks.ahead == 0)
        }
        #expect(clocks.compare(5_000, with: 1_025) && clocks.ahead == 3_975)
    }
}
