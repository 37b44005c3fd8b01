import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// A session that has said that all its tasks wait, and then says nothing more.
@Suite struct QuietTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)
    private var pid: Int32 { 101 }
    private var process: WatchedProcess { WatchedProcess(pid: pid, startTime: 12) }

    /// A job with two children, of which one has ended.
    private func begun(
        isWatched: Bool = true,
        job: WireStatedState,
        child: WireStatedState
    ) -> Bus {
        var configuration = CoreConfiguration()
        configuration.bootID = "boot"
        configuration.pidNamespace = "pid:[1]"
        var bus = Bus(configuration: configuration)
        guard case .hello(var hello) = worker.hello else { return bus }
        hello.process.bootID = "boot"
        hello.process.pidNamespace = "pid:[1]"
        hello.process.startTime = process.startTime
        bus.control(worker, peer: isWatched ? pid : nil, .hello(hello))
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "Child", parent: worker.task(1)),
                worker.description(3, "Done", parent: worker.task(1)),
            ]
            $0.add(1, completed: 3, total: 10)
        }
        let done = worker.description(3, "Done", parent: worker.task(1))
        bus.control(worker, worker.endings(1, [worker.ending(done, .succeeded)]))
        say(2, [1: job, 2: child], in: &bus)
        bus.pass()
        return bus
    }

    private func say(_ sequence: UInt64, _ states: [UInt64: WireStatedState], in bus: inout Bus) {
        bus.report(worker) {
            $0.sequence = sequence
            for (index, state) in states {
                var change = WireStateChange()
                change.index = index
                change.state = state
                $0.states.append(change)
            }
        }
    }

    private func progress(_ index: UInt64 = 1, in bus: inout Bus) -> WireRowProgress? {
        bus.row(worker.task(index), asking: viewer)?.progress
    }

    @Test("all paused and the process is watched: paused for as long as it lives, never silent")
    func staysPaused() {
        var bus = begun(job: .paused, child: .paused)
        for seconds in stride(from: 0, to: 60, by: 2) {
            bus.pass(2, hearing: [viewer])
            let row = progress(in: &bus)
            #expect(row?.state == .paused && row?.silent == false, "after \(seconds) s")
            #expect(row?.needsAttention == false, "after \(seconds) s")
        }
        bus.perform(
            bus.machine.processGone(worker.session, process, exit: .signal(9), now: bus.now)
        )
        bus.pass()
        #expect(progress(in: &bus)?.state == .lost, "its end is still its end")
    }

    @Test("something still runs and the process is watched: silent, and lost when the process ends")
    func oneRuns() {
        var bus = begun(job: .paused, child: .running)
        bus.pass(5, hearing: [viewer])
        #expect(progress(2, in: &bus)?.silent == true)
        #expect(progress(in: &bus)?.silent == true)
        bus.pass(60, hearing: [viewer])
        #expect(progress(2, in: &bus)?.state == .running)
        #expect(progress(2, in: &bus)?.silent == true)
        bus.perform(
            bus.machine.processGone(worker.session, process, exit: .status(1), now: bus.now)
        )
        bus.pass()
        #expect(progress(2, in: &bus)?.state == .lost)
    }

    @Test("a silent process that was stopped: its tasks say what lets it go on, until it does")
    func stopped() {
        var bus = begun(job: .running, child: .running)
        bus.pass(5, hearing: [viewer])
        #expect(bus.examined == [worker.session: process])
        bus.machine.processExamined(worker.session, process, isStopped: true)
        bus.pass(0.05, hearing: [viewer])
        #expect(progress(in: &bus)?.note.contains("kill -CONT \(pid)") == true)
        say(3, [1: .running], in: &bus)
        bus.pass()
        #expect(progress(in: &bus)?.note == "")
        #expect(progress(in: &bus)?.silent == false)
    }

    @Test("nothing is left unfinished: silence counts, nobody waits for anything")
    func nothingWaits() {
        var bus = begun(job: .paused, child: .paused)
        let left = [worker.description(1, "Job"), worker.description(2, "Child")]
        bus.control(worker, worker.endings(3, left.map { worker.ending($0, .succeeded) }))
        bus.pass(12, hearing: [viewer])
        #expect(bus.logged.contains("a session is lost"))
    }

    @Test("nobody will tell the end of its process: silent and lost, or it would wait for ever")
    func unwatched() {
        for isRefusedLater in [false, true] {
            var bus = begun(isWatched: isRefusedLater, job: .paused, child: .paused)
            if isRefusedLater { bus.machine.processUnwatched(worker.session, process) }
            bus.pass(5, hearing: [viewer])
            #expect(progress(in: &bus)?.silent == true)
            bus.pass(7, hearing: [viewer])
            #expect(progress(in: &bus)?.state == .lost)
        }
    }

    @Test("it has gone on and is stopped without a word: silent 3.9 s after the last one")
    func goesOn() {
        var bus = begun(job: .paused, child: .paused)
        var sequence: UInt64 = 2
        for late in [20.0, 21.3, 22.9] {
            bus.pass(late, hearing: [viewer])
            say(sequence + 1, [1: .running, 2: .running], in: &bus)
            bus.pass(3.5, hearing: [viewer])
            #expect(progress(in: &bus)?.silent == false)
            bus.pass(0.5, hearing: [viewer])
            #expect(progress(in: &bus)?.silent == true, "\(late) s")
            sequence += 2
            say(sequence, [1: .paused, 2: .paused], in: &bus)
            bus.pass()
            #expect(progress(in: &bus)?.silent == false)
        }
    }
}
