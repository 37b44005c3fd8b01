import Foundation
import Testing

/// The broker's disk is not what it should be, and the broker runs on.
@Suite("Trouble with the disk", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DiskTroubleTests {
    @Test("A state directory that cannot be made: the broker runs on, and journals once it can be")
    func unwritable() async throws {
        try await withBus { bus in
            // Permissions mean nothing to root; a file in the place of the directory does.
            let files = FileManager.default
            try files.removeItem(atPath: bus.stateDirectory)
            #expect(files.createFile(atPath: bus.stateDirectory, contents: Data()))
            let broker = try await bus.startBroker("--linger", "600")
            #expect(broker.errorOutput.contains("without a journal"), "\(broker.errorOutput)")
            let worker = try bus.startReporter()
            worker.begin("a", "Shown all the same")
            worker.begin("b", "Goes on")
            worker.end("a", "succeeded")
            try await bus.status("an ending that nobody has promised to keep") { report in
                report.job(titled: "Shown all the same")?.state == "succeeded"
            }
            #expect(broker.errorOutput.contains("cannot be written"), "\(broker.errorOutput)")
            try files.removeItem(atPath: bus.stateDirectory)
            try await worker.sync()
            #expect(broker.errorOutput.contains("is written again"), "\(broker.errorOutput)")
            worker.end("b", "failed", reason: "for the journal")
            #expect(try await worker.process.finish() == .exited(0))
            broker.send(SIGKILL)
            try await broker.end()
            _ = try await bus.startBroker("--linger", "600")
            let report = try await bus.status("both from the journal") { $0.jobs.count == 2 }
            #expect(report.job(titled: "Goes on")?.reason == "for the journal")
        }
    }

    @Test("A disk that is full when the broker begins: what an earlier one wrote is there")
    func fullAtFirst() async throws {
        try await withBus { bus in
            guard try await SmallDisk.mount(at: bus.stateDirectory, on: bus) else {
                print(
                    "not permitted to mount a small file system: the test of a full disk is left out"
                )
                return
            }
            let broker = try await bus.startBroker("--linger", "600")
            let early = try bus.startReporter()
            early.begin("a", "Promised")
            early.end("a", "succeeded")
            try await early.sync()
            #expect(try await early.process.finish() == .exited(0))
            broker.send(SIGTERM)
            try await broker.end()
            SmallDisk.fill(bus.stateDirectory)
            let next = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter("--title", "Goes on")
            try await bus.status("both, of the journal and of now") { report in
                report.job(titled: "Promised")?.state == "succeeded"
                    && report.job(titled: "Goes on")?.state == "running"
            }
            SmallDisk.makeRoom(bus.stateDirectory)
            try await worker.sync()
            #expect(next.endIfAny() == nil, "the same process")
            next.send(SIGTERM)
            try await next.end()
            try await SmallDisk.unmount(bus.stateDirectory, on: bus)
        }
    }

    @Test("A state directory that comes after the broker: what an earlier one wrote is back")
    func awayAtFirst() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let early = try bus.startReporter("--title", "Promised", "--finish", "failed")
            #expect(try await early.process.finish() == .exited(0))
            broker.send(SIGTERM)
            try await broker.end()
            let files = FileManager.default
            let away = bus.path("away")
            try files.moveItem(atPath: bus.stateDirectory, toPath: away)
            #expect(files.createFile(atPath: bus.stateDirectory, contents: Data()))
            let next = try await bus.startBroker("--linger", "600")
            #expect(next.errorOutput.contains("without a journal"), "\(next.errorOutput)")
            try files.removeItem(atPath: bus.stateDirectory)
            try files.moveItem(atPath: away, toPath: bus.stateDirectory)
            try await bus.status("what an earlier broker knew", within: .seconds(60)) {
                $0.job(titled: "Promised")?.state == "failed"
            }
            #expect(next.endIfAny() == nil, "the same process")
        }
    }

    @Test("A full disk: shown, not acknowledged, kept in the spool, journalled when there is room")
    func fullDisk() async throws {
        try await withBus { bus in
            guard try await SmallDisk.mount(at: bus.stateDirectory, on: bus) else {
                print(
                    "not permitted to mount a small file system: the test of a full disk is left out"
                )
                return
            }
            let broker = try await bus.startBroker("--linger", "600")
            let early = try bus.startReporter("--title", "Early")
            try await early.sync()
            SmallDisk.fill(bus.stateDirectory)
            let worker = try bus.startReporter()
            for number in 0..<50 {
                let title = "Job \(number) " + String(repeating: "x", count: 150)
                worker.begin("\(number)", title)
                worker.end("\(number)", "failed", reason: String(repeating: "r", count: 400))
            }
            early.end("root", "succeeded")
            try await bus.status("endings nobody has promised to keep") { report in
                report.jobs.count { $0.state == "failed" } == 50
                    && report.job(titled: "Early")?.state == "succeeded"
            }
            try await eventually("the broker says so") {
                broker.errorOutput.contains("cannot be written")
            }
            let doctor = try await bus.run("doctor")
            #expect(doctor.end == .exited(69), "\(doctor)")
            #expect(doctor.output.contains("The disk takes nothing in \(bus.stateDirectory)"))
            let script = try await bus.runScript(
                "set -e; id=$($BUS begin Backup); $BUS advance $id; $BUS end $id; echo $id"
            )
            #expect(script.end == .exited(0), "\(script)")
            #expect(!script.output.contains("none"), "\(script)")
            let warnings = script.errorOutput.split(separator: "\n")
            #expect(warnings.count == 3 && warnings.allSatisfy { $0.contains("disk") })
            // The worker is told nothing, and leaves what it knows in the spool.
            #expect(try await worker.process.finish() == .exited(75))
            #expect(bus.spool.count == 1)
            SmallDisk.makeRoom(bus.stateDirectory)
            try await eventually("the spool is taken", within: .seconds(60)) { bus.spool.isEmpty }
            #expect(broker.errorOutput.contains("is written again"), "\(broker.errorOutput)")
            #expect(try await early.process.finish() == .exited(0))
            broker.send(SIGKILL)
            try await broker.end()
            let next = try await bus.startBroker("--linger", "600")
            try await bus.status("everything from the journal") { report in
                report.jobs.count { $0.state == "failed" } == 50
                    && report.job(titled: "Early")?.state == "succeeded"
            }
            next.send(SIGTERM)
            try await next.end()
            try await SmallDisk.unmount(bus.stateDirectory, on: bus)
        }
    }
}

/// A file system of one MiB in the place of a directory.
enum SmallDisk {
    /// Whether this user may mount one.
    static func mount(at path: String, on bus: TemporaryBus) async throws -> Bool {
        #if os(Linux)
        guard getuid() == 0 else { return false }
        let mount = try bus.start(
            program: "/bin/mount",
            ["-t", "tmpfs", "-o", "size=1m,mode=0700", "progressbus-test", path]
        )
        return try await mount.finish() == .exited(0)
        #else
        return false
        #endif
    }

    static func unmount(_ path: String, on bus: TemporaryBus) async throws {
        let unmount = try bus.start(program: "/bin/umount", [path])
        try await unmount.finish()
    }

    /// Takes all the room there is.
    static func fill(_ path: String) {
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        for size in [65_536, 4_096, 512, 1] {
            let block = [UInt8](repeating: 1, count: size)
            while write(file, block, block.count) > 0 {}
        }
    }

    static func makeRoom(_ path: String) {
        unlink(path + "/ballast")
    }
}
