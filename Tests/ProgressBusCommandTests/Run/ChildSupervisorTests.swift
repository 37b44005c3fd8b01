import ProcessControl
import Foundation
import TaskTree
import Testing

@testable import ProgressBusCommand

@Suite("What happens to a running command")
struct ChildSupervisorTests {
    private let start = Moment(nanoseconds: 0)

    @Test("cancel: SIGTERM at once, also to what is stopped; SIGKILL after the grace, once")
    func cancel() {
        var machine = ChildSupervisor(grace: 3, sharesTerminal: false)
        #expect(machine.asked(.cancel, at: start) == [.send(SIGTERM), .send(SIGCONT)])
        #expect(machine.deadline == start.advanced(bySeconds: 3))
        #expect(machine.asked(.cancel, at: start.advanced(bySeconds: 2)) == [])
        #expect(machine.passed(start.advanced(bySeconds: 2.9)) == [])
        #expect(machine.passed(start.advanced(bySeconds: 3)) == [.send(SIGKILL)])
        #expect(machine.passed(start.advanced(bySeconds: 9)) == [])
        #expect(machine.deadline == nil)
    }

    @Test("cancel on another machine: it is told and may end by itself, and then has no more time")
    func cancelElsewhere() {
        var machine = ChildSupervisor(grace: 0, sharesTerminal: false, patience: 2)
        #expect(machine.asked(.cancel, at: start) == [.tellOfCancel])
        #expect(machine.deadline == start.advanced(bySeconds: 2))
        let later = start.advanced(bySeconds: 1)
        #expect(machine.asked(.cancel, at: later) == [])
        #expect(machine.received(SIGTERM, byTerminal: false, at: later) == [])
        let end = start.advanced(bySeconds: 2)
        #expect(machine.passed(end) == [.send(SIGTERM), .send(SIGCONT)])
        #expect(machine.passed(end) == [.send(SIGKILL)])
        #expect(machine.deadline == nil)
        #expect(machine.ending(.exited(255), at: start) == .cancelled(""))
    }

    @Test("a cancel that nothing there can have heard of by the end is forgotten")
    func unheard() {
        var machine = ChildSupervisor(grace: 0, sharesTerminal: false, patience: 2)
        #expect(!machine.isCancelUncertain)
        _ = machine.asked(.cancel, at: start)
        #expect(machine.isCancelUncertain)
        #expect(machine.ending(.exited(0), at: start) == .cancelled(""))
        var told = machine
        machine.forgetCancel()
        #expect(machine.ending(.exited(0), at: start) == .succeeded)
        _ = told.passed(start.advanced(bySeconds: 2))
        #expect(!told.isCancelUncertain)
        var here = ChildSupervisor(grace: 1, sharesTerminal: false)
        _ = here.asked(.cancel, at: start)
        #expect(!here.isCancelUncertain)
    }

    @Test("SIGTERM for a command on another machine: as a cancel, but the task fails")
    func terminatedElsewhere() {
        var machine = ChildSupervisor(grace: 0, sharesTerminal: false, patience: 2)
        #expect(machine.received(SIGTERM, byTerminal: false, at: start) == [.tellOfCancel])
        #expect(machine.deadline == start.advanced(bySeconds: 2) && machine.isEnding)
        #expect(machine.ending(.signalled(SIGTERM), at: start).isCancelled == false)
    }

    @Test("ends: cancelled after a cancel whatever the status, else by the status or signal")
    func endings() {
        var machine = ChildSupervisor(grace: 1, sharesTerminal: false)
        #expect(machine.ending(.exited(0), at: start) == .succeeded)
        #expect(machine.ending(.exited(3), at: start) == .failed("exit status 3"))
        #expect(
            machine.ending(.signalled(SIGKILL), at: start)
                == .failed("killed by signal 9 (SIGKILL)")
        )
        #expect(machine.ending(.signalled(63), at: start) == .failed("killed by signal 63"))
        _ = machine.asked(.cancel, at: start)
        for end in [ProcessEnd.exited(0), .exited(1), .signalled(SIGTERM)] {
            #expect(machine.ending(end, at: start) == .cancelled(""))
        }
    }

    @Test("a cancel after the end changes nothing, but where SIGTERM has come a moment before it")
    func late() {
        for request in [ChildSupervisor.Request.cancel, .pause, .resume] {
            var machine = ChildSupervisor(grace: 1, sharesTerminal: false)
            #expect(machine.asked(request, at: start, hasEnded: true) == [])
            #expect(machine.deadline == nil && !machine.isEnding)
            #expect(machine.ending(.exited(0), at: start) == .succeeded)
            #expect(machine.ending(.exited(3), at: start) == .failed("exit status 3"))
            let end = machine.ending(.signalled(SIGTERM), at: start)
            #expect(end.isCancelled == (request == .cancel))
        }
    }

    @Test("pause and resume stop and continue, and the task says so")
    func pause() {
        var machine = ChildSupervisor(grace: 1, sharesTerminal: false)
        #expect(machine.asked(.pause, at: start) == [.send(SIGSTOP), .showPaused(true)])
        #expect(machine.stopped(by: SIGSTOP) == [.showPaused(true)])
        #expect(machine.asked(.resume, at: start) == [.send(SIGCONT), .showPaused(false)])
        #expect(machine.continued() == [.showPaused(false)])
        #expect(machine.continued() == [])
    }

    @Test("what the terminal stops stops us too, what a process stops does not")
    func suspension() {
        var machine = ChildSupervisor(grace: 1, sharesTerminal: false)
        for signal in [SIGTSTP, SIGTTIN, SIGTTOU] {
            #expect(machine.stopped(by: signal) == [.showPaused(true), .stopOurselves])
        }
    }

    @Test("after Ctrl-Z, who stops itself by SIGSTOP has been stopped by the terminal all the same")
    func selfStop() {
        var session = ChildSupervisor(grace: 1, sharesTerminal: false)
        session.typedStop()
        #expect(session.stopped(by: SIGSTOP) == [.showPaused(true), .stopOurselves])
        #expect(session.continued() == [.showPaused(false)])
        #expect(session.stopped(by: SIGSTOP) == [.showPaused(true)], "nobody has typed that")
        var beside = ChildSupervisor(grace: 1, sharesTerminal: true)
        #expect(beside.received(SIGTSTP, byTerminal: true, at: start) == [])
        #expect(beside.stopped(by: SIGSTOP) == [.showPaused(true), .stopOurselves])
        session.typedStop()
        _ = session.asked(.pause, at: start)
        #expect(session.stopped(by: SIGSTOP) == [.showPaused(true)], "it had ignored Ctrl-Z")
    }

    @Test("signals are passed on, but for those that the command has had from the terminal itself")
    func signals() {
        var alone = ChildSupervisor(grace: 1, sharesTerminal: false)
        #expect(alone.received(SIGINT, byTerminal: true, at: start) == [.send(SIGINT)])
        #expect(alone.received(SIGINT, byTerminal: false, at: start) == [.send(SIGINT)])
        var beside = ChildSupervisor(grace: 1, sharesTerminal: true)
        #expect(beside.received(SIGINT, byTerminal: true, at: start) == [])
        #expect(beside.received(SIGTERM, byTerminal: false, at: start) == [.send(SIGTERM)])
    }

    @Test("a hangup lets go on what is stopped, however it was stopped, as it would never hear it")
    func hangup() {
        for sharesTerminal in [false, true] {
            var machine = ChildSupervisor(grace: 1, sharesTerminal: sharesTerminal)
            let own: [ChildSupervisor.Action] = sharesTerminal ? [] : [.send(SIGHUP)]
            #expect(machine.received(SIGHUP, byTerminal: true, at: start) == own + [.send(SIGCONT)])
            let sent = machine.received(SIGHUP, byTerminal: false, at: start)
            #expect(sent == [.send(SIGHUP), .send(SIGCONT)])
        }
    }

    @Test("whom the person interrupts is cancelled, unless it goes on or succeeds")
    func interruption() {
        let ends = [ProcessEnd.signalled(SIGINT), .exited(130), .exited(2)]
        for signal in [SIGINT, SIGQUIT] {
            for byTerminal in [false, true] {
                var machine = ChildSupervisor(grace: 1, sharesTerminal: byTerminal)
                _ = machine.received(signal, byTerminal: byTerminal, at: start)
                for end in ends {
                    #expect(machine.ending(end, at: start) == .cancelled("interrupted"))
                }
                #expect(machine.ending(.exited(0), at: start) == .succeeded)
                let later = start.advanced(bySeconds: 60)
                #expect(machine.ending(.exited(2), at: later) == .failed("exit status 2"))
                #expect(machine.ending(.signalled(SIGINT), at: later) == .cancelled("interrupted"))
            }
        }
        let elsewhere = ChildSupervisor(
            grace: 1,
            sharesTerminal: false,
            patience: 2,
            hasOwnTerminal: true
        )
        let unattended = ChildSupervisor(grace: 1, sharesTerminal: false, patience: 2)
        #expect(unattended.ending(.exited(130), at: start) == .failed("exit status 130"))
        #expect(elsewhere.ending(.exited(130), at: start) == .cancelled("interrupted"))
        #expect(elsewhere.ending(.exited(129), at: start) == .failed("exit status 129"))
        var typed = ChildSupervisor(grace: 1, sharesTerminal: false)
        typed.typedInterrupt(at: start)
        #expect(typed.ending(.signalled(SIGINT), at: start) == .cancelled("interrupted"))
        var asked = ChildSupervisor(grace: 1, sharesTerminal: false)
        _ = asked.received(SIGTERM, byTerminal: false, at: start)
        #expect(asked.ending(.signalled(SIGTERM), at: start).isCancelled == false)
    }

    private static let waitStatuses: [(Int32, ProcessChange)] = [
        (0, .ended(.exited(0))),
        (3 << 8, .ended(.exited(3))),
        (9, .ended(.signalled(9))),
        (9 | 0x80, .ended(.signalled(9))),
        (20 << 8 | 0x7f, .stopped(20)),
        (0xffff, .continued),
    ]

    @Test("a wait status says what became of a process")
    func waitStatus() {
        for (status, change) in Self.waitStatuses {
            #expect(ProcessChange(waitStatus: status) == change)
        }
    }
}
