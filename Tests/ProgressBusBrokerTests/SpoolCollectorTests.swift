import BrokerCore
import BusProtocol
import Foundation
import Logging
import TaskTree
import Testing

@testable import ProgressBusBroker

/// A look at one entry of the spool at a time, whatever lies there.
@Suite struct SpoolCollectorTests {
    private let now = Moment(nanoseconds: 1_000_000_000)

    /// A spool with so many good files and damaged ones, and what a test does there.
    private func withSpool(
        good: Int,
        damaged: Int,
        _ body: (inout SpoolCollector, URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("spool-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        var frame = WireClientFrame()
        frame.credentialBytes = [UInt8](repeating: 7, count: 16)
        var hello = WireHello()
        hello.session = 9
        frame.body = .hello(hello)
        let bytes = SpoolFile.encode([frame])
        let files =
            (0..<good).map { ("good-\($0)", bytes) }
            + (0..<damaged).map { ("damaged-\($0)", [UInt8](repeating: 0, count: 20)) }
        for (name, bytes) in files {
            let isMade = FileManager.default.createFile(
                atPath: folder.appendingPathComponent(name).path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
            #expect(isMade)
        }
        var logger = Logger(label: "spool")
        logger.logLevel = .critical
        var collector = SpoolCollector(path: folder.path, logger: logger, now: now)
        try body(&collector, folder)
    }

    @Test("damaged files are set aside one at a time: each look is short")
    func damaged() throws {
        try withSpool(good: 0, damaged: 30) { collector, folder in
            for left in (0..<30).reversed() {
                #expect(collector.isReady(at: now))
                guard case .nothing? = collector.next(at: now) else {
                    Issue.record("a damaged file was taken")
                    continue
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.count { $0.hasPrefix("damaged-") } == left)
            }
            let last = collector.next(at: now)
            #expect(!collector.isBusy && last == nil)
        }
    }

    @Test("good files come one after another, and again when they wait for the machine")
    func good() throws {
        try withSpool(good: 3, damaged: 1) { collector, folder in
            var numbers: [UInt64] = []
            while let look = collector.next(at: now) {
                if case .file(let number, _) = look { numbers.append(number) }
            }
            #expect(numbers == [1, 2, 3])
            collector.decided(.taken, file: 1)
            collector.decided(.later, file: 2)
            let later = now.advanced(bySeconds: SpoolCollector.every)
            var again = 0
            while let look = collector.next(at: later) {
                if case .file = look { again += 1 }
            }
            #expect(again == 1)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count { $0.hasPrefix("good-") } == 2)
        }
    }
}
