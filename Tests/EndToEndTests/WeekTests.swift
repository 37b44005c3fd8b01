import Foundation
import ProgressBus
import Testing

/// What happens on the machine of a person in a week, in two minutes; an observer compares all that
/// a viewer is shown with what is true.
@Suite("A week in fast motion", .serialized, .transcript, .timeLimit(.minutes(5)))
struct WeekTests {
    @Test("nights without a session, a logout, restarts, a full disk: nothing false at any time")
    func week() async throws {
        try await withBus { bus in
            // Only who may mount one has a disk that fills up.
            let hasDisk = try await SmallDisk.mount(at: bus.stateDirectory, on: bus)
            let ledger = Ledger(of: bus.follower())
            defer { ledger.close() }
            try await failAtNight(on: bus, ledger)
            try await logOut(of: bus)
            try await lookInTheMorning(on: bus, ledger)
            try await releaseInParts(on: bus, ledger)
            if hasDisk { try await fillTheDisk(of: bus, ledger) }
            try await succeedAtLast(on: bus, ledger)
            #expect(ledger.violations.isEmpty, "\(ledger.violations.joined(separator: "\n"))")
            #expect(ledger.boards > 20, "the observer has seen the week")
            let pid = try #require(bus.brokerPID)
            kill(pid, SIGTERM)
            try await eventually("the broker has left") { isAlive(pid) ? nil : true }
            if hasDisk { try await SmallDisk.unmount(bus.stateDirectory, on: bus) }
        }
    }

    /// Monday, 3 a.m.: cron has no runtime directory, and the backup fails.
    private func failAtNight(on bus: TemporaryBus, _ ledger: Ledger) async throws {
        ledger.may("Backup", be: .running, .failed)
        let night = try await bus.runScript(
            "env -u XDG_RUNTIME_DIR $RUN --title Backup -- sh -c 'echo no space >&2; sleep 1; exit 3'"
        )
        #expect(night.end == .exited(3), "\(night)")
        try await bus.status("it is known") { $0.job(titled: "Backup")?.state == "failed" }
        ledger.must("Backup", be: .failed)
    }

    /// The last session ends: what a logout does to the directory of the sockets, then a reboot.
    private func logOut(of bus: TemporaryBus) async throws {
        let pid = try #require(bus.brokerPID)
        try FileManager.default.removeItem(atPath: bus.socketDirectory)
        try await eventually("the broker is whole again", within: .seconds(10)) { bus.isListening }
        kill(pid, SIGTERM)
        try await eventually("the machine is down") { isAlive(pid) ? nil : true }
        try? FileManager.default.removeItem(atPath: bus.socketDirectory)
    }

    /// Tuesday, 9 a.m.: the person logs in and looks.
    private func lookInTheMorning(on bus: TemporaryBus, _ ledger: Ledger) async throws {
        let status = try await bus.runScript("XDG_RUNTIME_DIR=$HERE $BUS status")
        #expect(status.end == .exited(0), "\(status)")
        #expect(status.output.contains("Backup: failed: exit status 3: no space"), "\(status)")
    }

    /// Wednesday: one tree of a script, a command, Python and Swift; the broker dies in between.
    private func releaseInParts(on bus: TemporaryBus, _ ledger: Ledger) async throws {
        ledger.may("Release", be: .running)
        let id = try await bus.begin("Release")
        let parent = ["PROGRESSBUS_PARENT": id]
        ledger.may("Compile", be: .running, .succeeded)
        let compile = try bus.script(
            "exec $RUN --title Compile -- sh -c 'for i in 1 2 3 4 5 6; do sleep 1; done'",
            adding: parent
        )
        ledger.may("Translate", be: .running, .succeeded, upTo: 30)
        let translate = try bus.script(
            """
            exec $PYTHON -c '
            import time, progressbus
            with progressbus.job("Translate", total=30) as job:
                for _ in range(30):
                    time.sleep(0.2)
                    job.advance()
            progressbus.default_bus().close()
            '
            """,
            adding: parent.merging(["PYTHON": Programs.python]) { $1 }
        )
        let client = BusClient(
            BusConfiguration(endpoint: bus.endpoint, program: "index", environment: parent)
        )
        ledger.may("Index", be: .running, upTo: 0)
        let index = try #require(client.redeemInherited("Index", total: 60))
        for step in 1...60 {
            ledger.may("Index", be: .running, upTo: Int64(step))
            index.advance()
            try await Task.sleep(for: .milliseconds(100))
            if step == 25 { try await killBroker(of: bus) }
        }
        ledger.may("Index", be: .running, .succeeded, upTo: 60)
        index.succeed()
        #expect(await client.close(timeout: .seconds(20)))
        #expect(try await compile.finish() == .exited(0), "\(compile.errorOutput)")
        #expect(try await translate.finish() == .exited(0), "\(translate.errorOutput)")
        let parts = try await bus.status("all parts are done") { report in
            report.job(titled: "Release")?.counts.succeeded == 3
        }
        #expect(parts.job(titled: "Release")?.percent == nil, "it is done, and has not ended")
        ledger.may("Release", be: .running, .succeeded)
        try await bus.succeed("end", id)
        try await bus.status("released") { $0.job(titled: "Release")?.state == "succeeded" }
        ledger.may("Release", be: .succeeded)
    }

    /// Thursday: something has filled the disk; scripts work on, and what they say is shown.
    private func fillTheDisk(of bus: TemporaryBus, _ ledger: Ledger) async throws {
        SmallDisk.fill(bus.stateDirectory)
        ledger.may("Import", be: .running, .succeeded, upTo: 2)
        let script = try await bus.runScript(
            """
            set -e
            id=$($BUS begin Import --total 2)
            for i in 1 2; do $BUS advance "$id"; sleep 1; done
            $BUS end "$id"
            """
        )
        #expect(script.end == .exited(0), "\(script)")
        try await bus.status("imported") { $0.job(titled: "Import")?.state == "succeeded" }
        ledger.may("Import", be: .succeeded, upTo: 2)
        ledger.may("Report", be: .running, .failed)
        let report = try await bus.runScript("$RUN --title Report -- sh -c 'sleep 1; exit 4'")
        #expect(report.end == .exited(4), "\(report)")
        try await bus.status("reported") { $0.job(titled: "Report")?.state == "failed" }
        ledger.must("Report", be: .failed)
        SmallDisk.makeRoom(bus.stateDirectory)
        try await eventually("the spool is taken", within: .seconds(60)) { bus.spool.isEmpty }
        // The journal has it again once the broker has tried.
        try await eventually("doctor is content", within: .seconds(60), every: .seconds(1)) {
            try await bus.run("doctor").end == .exited(0) ? true : nil
        }
        try await killBroker(of: bus)
        _ = try await bus.status("what happened meanwhile") {
            $0.job(titled: "Report")?.state == "failed"
        }
        ledger.may("Report", be: .failed)
        let dismissed = try await bus.run("dismiss", "key:Report")
        #expect(dismissed.end == .exited(0), "\(dismissed)")
        try await bus.status("it has left") { $0.job(titled: "Report") == nil }
    }

    /// Friday, 3 a.m.: the backup works again; its row says what was before, until it is dismissed.
    private func succeedAtLast(on bus: TemporaryBus, _ ledger: Ledger) async throws {
        ledger.may("Backup", be: .running, .failed, .succeeded)
        let night = try await bus.runScript("env -u XDG_RUNTIME_DIR $RUN --title Backup -- sleep 2")
        #expect(night.end == .exited(0), "\(night)")
        let board = try await bus.status("it has succeeded") {
            $0.job(titled: "Backup")?.state == "succeeded"
        }
        ledger.must("Backup", be: .succeeded)
        let job = try #require(board.job(titled: "Backup"))
        #expect(job.slot == 1 && job.needsAttention)
        #expect(job.note.hasPrefix("run 2; run 1 failed: exit status 3"), "\(job.note)")
        ledger.may("Backup", be: .succeeded)
        let dismissed = try await bus.run("dismiss", "--failed")
        #expect(dismissed.end == .exited(0), "\(dismissed)")
        try await bus.status("nothing is left to look at") { report in
            report.jobs.allSatisfy { !$0.needsAttention }
        }
    }

    private func killBroker(of bus: TemporaryBus) async throws {
        let pid = try #require(bus.brokerPID)
        kill(pid, SIGKILL)
        try await eventually("the broker is gone") { isAlive(pid) ? nil : true }
        let again = try await bus.run("status", "--timeout", "20")
        #expect(again.end == .exited(0), "\(again)")
    }
}
