import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("What is wrong, and what can be done")
struct TroubleTests {
    @Test("a success after a failure that nobody has dismissed says so in its row")
    func afterFailure() {
        let row = TaskSnapshot.sample {
            $0.state = .succeeded
            $0.needsAttention = true
            $0.note = "run 5; run 4 failed: exit status 2"
        }
        #expect(row.words().remark == "run 5; run 4 failed: exit status 2")
        #expect(
            row.words().advice
                == "run 5; run 4 failed: exit status 2: look at what failed, then dismiss it"
        )
    }

    @Test("I-7: stalled, silent, lost and waiting have four words, four sentences, four ways out")
    func fourConditions() {
        let stalled = TaskSnapshot.sample {
            $0.isStalled = true
            $0.options.isCancellable = true
            $0.secondsSinceAdvance = 14
        }.words()
        #expect(stalled.word == "stalled")
        #expect(stalled.problem == "no advance for 14 s")
        #expect(stalled.suggestedAction == "wait, look at the process, or cancel it")
        #expect(
            stalled.advice == "no advance for 14 s, but process 4711 on attic is alive: wait, look "
                + "at the process, or cancel it"
        )
        // Silent goes before stalled.
        let silent = TaskSnapshot.sample {
            $0.isStalled = true
            $0.isSilent = true
        }.words()
        #expect(silent.word == "silent")
        #expect(silent.problem == "no word from process 4711 on attic")
        #expect(silent.advice == "no word from process 4711 on attic: wait, or look at the process")
        let lost = TaskSnapshot.sample {
            $0.state = .lost
            $0.exit = .signal(9)
        }.words()
        #expect(lost.word == "lost")
        #expect(lost.problem == "lost: process 4711 on attic is gone (ended by signal 9)")
        #expect(
            lost.advice == "process 4711 on attic is gone (ended by signal 9): start it again, or "
                + "dismiss the task"
        )
        let unheard = TaskSnapshot.sample {
            $0.state = .lost
            $0.reason = "no word came from process 4711 on attic for 10 s"
        }.words()
        #expect(unheard.problem == "lost: no word came from process 4711 on attic for 10 s")
        #expect(unheard.suggestedAction?.hasPrefix("look whether it still works") == true)
        let revoked = TaskSnapshot.sample {
            $0.state = .lost
            $0.reason = "ben, who reported it, was revoked"
        }.words()
        #expect(revoked.problem == "lost: ben, who reported it, was revoked")
        #expect(revoked.suggestedAction?.hasPrefix("look whether it still works") == true)
        let stopped = TaskSnapshot.sample {
            $0.isSilent = true
            $0.note = "stopped: kill -CONT 4711 lets it go on"
        }.words()
        #expect(stopped.problem?.hasSuffix(", stopped: kill -CONT 4711 lets it go on") == true)
        #expect(stopped.advice?.hasSuffix(": stopped: kill -CONT 4711 lets it go on") == true)
        let waiting = TaskSnapshot.child { $0.state = .waiting }.words()
        #expect(waiting.word == "waiting")
        #expect(waiting.line == "Scan: waiting")
        #expect(waiting.problem == "nobody has begun it yet")
        #expect(waiting.advice == "nobody has begun it yet: start what is to do it, or wait")
        for words in [stalled, silent, lost, waiting] {
            #expect(words.remark == words.problem && words.suggestedAction != nil)
        }
    }

    @Test("I-7: of a command's last lines as many of the last as there is room for")
    func lastLines() {
        let failed = TaskSnapshot.sample {
            $0.state = .failed
            $0.reason = "exit status 1: Traceback: | File \"a.py\" | ValueError: none given"
        }.words()
        let whole = "failed: exit status 1: Traceback: | File \"a.py\" | ValueError: none given"
        #expect(failed.problem(columns: whole.count) == whole)
        let two = "failed: exit status 1: ... | File \"a.py\" | ValueError: none given"
        #expect(failed.problem(columns: whole.count - 1) == two)
        let one = "failed: exit status 1: ... | ValueError: none given"
        #expect(failed.problem(columns: one.count) == one)
        #expect(failed.problem(columns: 10) == one)
        let other = TaskSnapshot.sample {
            $0.state = .failed
            $0.reason = "a | b"
        }.words()
        #expect(other.problem(columns: 5) == "failed: a | b")
    }

    @Test("I-7: a task without a process has a script, of which less is known")
    func withoutProcess() {
        let stalled = TaskSnapshot.sample {
            $0.process = nil
            $0.isStalled = true
            $0.options.isCancellable = true
        }.words()
        #expect(stalled.advice?.contains("alive") == false)
        #expect(stalled.suggestedAction == "wait, look at the script, or cancel it")
        let silent = TaskSnapshot.sample {
            $0.process = nil
            $0.isSilent = true
        }.words()
        #expect(silent.problem == "no word from its script")
        #expect(silent.advice == "no word from its script: wait, or look at the script")
        let lost = TaskSnapshot.sample {
            $0.process = nil
            $0.state = .lost
            $0.reason = "no word came for 31 s, though one was promised every 10 s"
        }.words()
        #expect(lost.problem == "lost: no word came for 31 s, though one was promised every 10 s")
        #expect(
            lost.advice == "lost: no word came for 31 s, though one was promised every 10 s: look "
                + "whether it still works before you start it again, or dismiss the task"
        )
    }

    @Test("I-7: what runs, pauses or is done needs nobody")
    func fine() {
        for state in [TaskState.running, .paused, .succeeded] {
            let words = TaskSnapshot.sample { $0.state = state }.words()
            #expect(words.problem == nil && words.suggestedAction == nil && words.advice == nil)
        }
    }

    @Test("I-7: nobody is told to begin what belongs to something that has ended")
    func endedParent() {
        var words = TaskSnapshot.child { $0.state = .waiting }.words()
        words.hasParentEnded = true
        #expect(words.problem == "nobody has begun it, and what it is part of has ended")
        #expect(words.suggestedAction == "wait until it is given up")
    }

    @Test("a request to stop: cancelling, and after 10 s that there is no answer")
    func cancelling() {
        var words = TaskSnapshot.sample {
            $0.state = .cancelling
            $0.options.isCancellable = true
        }.words()
        #expect(words.word == "cancelling" && words.problem == "cancelling")
        words.askedSecondsAgo = 9.9
        #expect(words.problem == "cancelling" && words.advice == nil)
        words.askedSecondsAgo = 10
        #expect(words.problem == "asked 10 s ago, goes on")
        #expect(
            words.advice
                == "asked 10 s ago, goes on: wait, or look at process 4711 on attic"
        )
    }

    @Test("a request to stop shows before the broker tells of it, and not once the task has ended")
    func cancellingBeforeItIsTold() {
        for (state, word) in [(TaskState.running, "cancelling"), (.paused, "cancelling")] {
            var words = TaskSnapshot.sample { $0.state = state }.words()
            words.askedSecondsAgo = 1
            #expect(words.word == word && words.problem == "cancelling")
        }
        var done = TaskSnapshot.sample { $0.state = .succeeded }.words()
        done.askedSecondsAgo = 20
        #expect(done.word == "done" && done.problem == nil && done.advice == nil)
        var stalled = TaskSnapshot.sample {
            $0.isStalled = true
            $0.options.isCancellable = true
            $0.secondsSinceAdvance = 30
        }.words()
        stalled.askedSecondsAgo = 2
        #expect(stalled.problem == "no advance for 30 s")
        #expect(stalled.suggestedAction == "wait, look at the process, or cancel it")
        stalled.askedSecondsAgo = 12
        #expect(stalled.problem == "asked 12 s ago, goes on")
    }
}
