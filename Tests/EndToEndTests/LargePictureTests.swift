import BusProtocol
import Foundation
import ProgressBus
import TaskTree
import Testing

/// How long the broker may say nothing is limited, not how long it takes to say everything.
@Suite("Large pictures", .serialized, .transcript, .timeLimit(.minutes(5)))
struct LargePictureTests {
    @Test("1,000 jobs of two children each: status, watch --once and cancel get all they need")
    func manyJobs() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            for number in 0..<1_000 {
                let job = client.beginJob("Job \(number)", total: 2)
                for child in 0..<2 { job.beginChild("Child \(child)", share: 1, total: 10) }
            }
            #expect(await client.sync(timeout: .seconds(60)))
            let patience = ["--timeout", "50"]
            let status = try await bus.run("status", ["--json"] + patience, within: .seconds(60))
            #expect(status.end == .exited(0), "\(status.errorOutput)")
            let report = try JSONDecoder().decode(
                StatusReport.self,
                from: Data(status.output.utf8)
            )
            #expect(report.jobs.count == 1_000)
            // A picture of all has the children of so many.
            #expect(report.jobs.count { $0.children.count == 2 } >= 500)
            let shown = ["--once", "--plain"] + patience
            let once = try await bus.run("watch", shown, within: .seconds(60))
            #expect(once.end == .exited(0), "\(once.errorOutput)")
            #expect(once.output.contains("Job 999"))
            let cancel = try await bus.run("cancel", "1000", "--yes", within: .seconds(60))
            #expect(cancel.end != .exited(75), "\(cancel.errorOutput)")
            _ = await client.close(timeout: .seconds(5))
        }
    }

    @Test("300 children of the longest texts: status and watch --once show all of them")
    func longestTexts() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let peer = try HostilePeer(bus.endpoint)
            let frames = Self.longestChildren(300).map { Frame.encode($0) }
            let isTaken = try await onOwnThread {
                try peer.say(frames) { answer in
                    if case .endingsJournalled(let taken) = answer {
                        taken.sequence == 301
                    } else {
                        false
                    }
                }
            }
            #expect(isTaken)
            // A debug build takes its time over a frame of a megabyte, beside other tests.
            let status = try await bus.run(
                "status",
                "--json",
                "--timeout",
                "20",
                within: .seconds(60)
            )
            #expect(status.end == .exited(0), "\(status.errorOutput)")
            let report = try JSONDecoder().decode(
                StatusReport.self,
                from: Data(status.output.utf8)
            )
            let children = try #require(report.job(titled: "Job")).children
            #expect(children.count == 300)
            #expect(children.allSatisfy { $0.detail.utf8.count == 500 })
            let once = try await bus.run(
                "watch",
                "--once",
                "--plain",
                "--timeout",
                "20",
                within: .seconds(60)
            )
            #expect(once.end == .exited(0), "\(once.errorOutput)")
        }
    }

    /// What a session says whose job has so many children that each say as much as they may.
    private static func longestChildren(_ count: UInt64) -> [WireClientFrame] {
        let session = SessionID(rawValue: 4_711)
        func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }
        func frame(_ fill: (inout WireClientFrame) -> Void) -> WireClientFrame {
            var frame = WireClientFrame()
            frame.credentialBytes = Array(repeating: 7, count: ProtocolLimits.credentialBytes)
            fill(&frame)
            return frame
        }
        let hello = frame {
            $0.hello.session = session.rawValue
            $0.hello.process.pid = 4_711
            $0.hello.process.host = text(ProtocolLimits.hostBytes)
            $0.hello.process.command = text(ProtocolLimits.commandBytes)
            $0.hello.process.bootID = text(ProtocolLimits.machineBytes)
            $0.hello.process.pidNamespace = text(ProtocolLimits.machineBytes)
        }
        let job = frame {
            var row = WireEnding()
            row.description_p.index = 1
            row.description_p.title = "Job"
            $0.endings.sequence = 1
            $0.endings.endings = [row]
        }
        let children = (2...count + 1).map { index in
            frame {
                var row = WireEnding()
                row.description_p.index = index
                row.description_p.parent = WireTaskRef(TaskID(index: 1, session: session))
                row.description_p.title = text(ProtocolLimits.titleBytes)
                row.description_p.unit = text(ProtocolLimits.unitBytes)
                row.description_p.key = text(ProtocolLimits.keyBytes)
                row.description_p.tint = text(ProtocolLimits.tintBytes)
                row.description_p.consequence = text(ProtocolLimits.consequenceBytes)
                row.description_p.host = text(ProtocolLimits.hostBytes)
                row.state = .failed
                row.reason = text(ProtocolLimits.reasonBytes)
                row.detail = text(ProtocolLimits.detailBytes)
                var below = WireFold()
                below.parent = WireTaskRef(TaskID(index: index, session: session))
                below.succeeded = 16
                below.sums = (10..<10 + ProtocolLimits.unitSums).map { number in
                    var sum = WireUnitSum()
                    sum.unit = text(ProtocolLimits.unitBytes - 2) + "\(number)"
                    sum.completed = 1 << 40
                    sum.total = 1 << 40
                    return sum
                }
                $0.endings.sequence = index
                $0.endings.endings = [row]
                $0.endings.folds = [below]
            }
        }
        return [hello, job] + children
    }

    @Test("a broker that is silent for less than --timeout: status waits; for more: 75")
    func silence() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            broker.send(SIGSTOP)
            let patient = try bus.start(
                program: Programs.progressbus(),
                ["status", "--json", "--timeout", "60"]
            )
            let impatient = try await bus.run("status", "--timeout", "0.5")
            #expect(impatient.end == .exited(75), "\(impatient)")
            let usual = try await bus.run("status")
            #expect(usual.end == .exited(75), "\(usual)")
            broker.send(SIGCONT)
            #expect(try await patient.finish() == .exited(0), "\(patient.errorOutput)")
            for wrong in ["0", "-1", "601", "nan"] {
                let result = try await bus.run("status", "--timeout=\(wrong)")
                #expect(result.end == .exited(64), "\(wrong)")
            }
        }
    }
}
