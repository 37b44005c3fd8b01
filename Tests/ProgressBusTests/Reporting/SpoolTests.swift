import BusProtocol
import Foundation
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Last words for the spool")
struct SpoolTests {
    /// A session that was welcomed and whose broker has gone.
    private func abandoned() -> Stage {
        var stage = Stage()
        stage.connect()
        return stage
    }

    private func close(_ stage: inout Stage) {
        stage.wait(1, isClosing: true, milliseconds: 100)
        stage.pass(milliseconds: 200)
    }

    @Test("ended while the broker was away: hello, endings and goodbye, before close returns")
    func ended() throws {
        var stage = abandoned()
        let known = stage.begin("Known", total: 2)
        stage.pass(milliseconds: 100)
        stage.unsubscribe()
        let late = stage.begin("Begun later")
        let part = stage.begin("Part", under: late, total: 7)
        stage.advance(part, by: 3)
        stage.end(part, .failed(reason: "no paper"))
        stage.end(late)
        stage.end(known)
        close(&stage)
        #expect(stage.finished == [1: false], "nobody has acknowledged anything")
        let words = try #require(stage.lastWords.first)
        #expect(stage.lastWords.count == 1)
        #expect(words.omitted == 0)
        let file = try SpoolFile(decoding: SpoolFile.encode(words.frames))
        #expect(file.session == Stage.session)
        let rows = file.frames.flatMap(\.endings.endings)
        #expect(rows.map(\.description_p.title) == ["Known", "Begun later", "Part"])
        #expect(rows.map(\.state) == [.succeeded, .succeeded, .failed])
        #expect(rows.last?.reason == "no paper")
        #expect(rows.last?.completed == 3)
        #expect(file.frames.last?.goodbye == WireGoodbye())
        #expect(stage.hasLeft)
    }

    @Test("a child ended and its job did not: the job's row comes along, running")
    func openParent() throws {
        var stage = abandoned()
        stage.unsubscribe()
        let job = stage.begin("Job")
        stage.begin("Other")
        let part = stage.begin("Part", under: job)
        stage.pass(milliseconds: 100)
        stage.end(part, .failed(reason: "no"))
        close(&stage)
        let rows = try #require(stage.lastWords.first).frames.flatMap(\.endings.endings)
        #expect(rows.map(\.description_p.title) == ["Job", "Part"])
        #expect(rows.map(\.state) == [.running, .failed])
    }

    @Test("folds that nobody acknowledged: written under their parent")
    func folds() throws {
        var stage = abandoned()
        stage.unsubscribe()
        let job = stage.begin("Job")
        for _ in 0..<5 { stage.end(stage.begin("quick", under: job)) }
        stage.end(job)
        close(&stage)
        let frames = try #require(stage.lastWords.first).frames
        #expect(frames.flatMap(\.endings.folds).map(\.succeeded) == [5])
        #expect(frames.flatMap(\.endings.endings).count == 1)
    }

    @Test("a fold that was acknowledged before its parent ended: written again under it")
    func acknowledgedFold() throws {
        // A broker that knows the parent by the fold alone forgets it when the process ends.
        var stage = abandoned()
        let job = stage.begin("Job")
        stage.end(stage.begin("quick", under: job))
        stage.pass(milliseconds: 200)
        stage.journalEverything()
        stage.unsubscribe()
        stage.end(job)
        close(&stage)
        let frames = try #require(stage.lastWords.first).frames
        #expect(frames.flatMap(\.endings.folds).map(\.succeeded) == [1])
    }

    @Test("never welcomed: what has ended is written for the first broker")
    func neverWelcomed() throws {
        var stranger = Stage()
        stranger.end(stranger.begin())
        close(&stranger)
        #expect(stranger.hasLeft)
        let words = try #require(stranger.lastWords.first)
        #expect(!words.hadBroker)
        #expect(words.frames.flatMap(\.endings.endings).map(\.state) == [.succeeded])
    }

    @Test("everything acknowledged: nothing is written")
    func nothing() {
        var told = abandoned()
        told.end(told.begin())
        told.pass(milliseconds: 100)
        told.journalEverything()
        told.unsubscribe()
        close(&told)
        #expect(told.hasLeft)
        #expect(told.lastWords.isEmpty)
    }

    @Test("more than fits into a file: jobs and failures first, the rest is counted")
    func crowd() throws {
        var stage = abandoned()
        stage.unsubscribe()
        for _ in 0..<900 {
            let job = stage.begin(String(repeating: "t", count: 200))
            for child in 0..<14 {
                let part = stage.begin("part", under: job)
                stage.pass(milliseconds: 0)
                stage.end(part, child == 13 ? .failed(reason: "no") : .cancelled(reason: "no"))
            }
            stage.end(job)
            stage.now = stage.now.later(by: 1_000_000_000)
        }
        close(&stage)
        let words = try #require(stage.lastWords.first)
        let file = try SpoolFile(decoding: SpoolFile.encode(words.frames))
        let rows = file.frames.flatMap(\.endings.endings)
        #expect(rows.count { !$0.description_p.hasParent } == 900)
        #expect(rows.count { $0.state == .failed } == 900)
    }

    // MARK: - Files

    @Test("a file: mode 0600 in a directory of mode 0700, nothing else left behind")
    func written() throws {
        let directory = try TemporarySpool()
        try SpoolWriter.save([1, 2, 3], named: "a", to: directory.path)
        try SpoolWriter.save([4], named: "a", to: directory.path)
        #expect(directory.names == ["a.spool"])
        #expect(FileManager.default.contents(atPath: directory.path + "/a.spool") == Data([4]))
        #expect(try directory.mode("/a.spool") == 0o600)
        #expect(try directory.mode("") == 0o700)
    }

    @Test("a thousand files wait: no more is written until one is too old")
    func full() throws {
        let directory = try TemporarySpool()
        for number in 0..<SpoolLimits.files {
            try SpoolWriter.save([1], named: "\(number)", to: directory.path)
        }
        let error = try #require(throws: SpoolError.self) {
            try SpoolWriter.save([1], named: "x", to: directory.path)
        }
        #expect(error.sentence.contains("1000"))
        #expect(directory.names.count == SpoolLimits.files)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_700)],
            ofItemAtPath: directory.path + "/7.spool"
        )
        try SpoolWriter.save([1], named: "x", to: directory.path)
        #expect(!directory.names.contains("7.spool"))
        #expect(directory.names.contains("x.spool"))
    }

    @Test("a spool that is a file, a link or open to others: refused in words, untouched")
    func unusable() throws {
        let file = try TemporarySpool(make: false)
        #expect(FileManager.default.createFile(atPath: file.path, contents: Data([9])))
        let link = try TemporarySpool(make: false)
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: NSTemporaryDirectory()
        )
        let open = try TemporarySpool()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: open.path
        )
        for path in [file.path, link.path, open.path, "/nowhere/at/all"] {
            let error = try #require(throws: SpoolError.self) {
                try SpoolWriter.save([1], named: "a", to: path)
            }
            #expect(error.sentence.contains(path))
        }
        #expect(FileManager.default.contents(atPath: file.path) == Data([9]))
        #expect(open.names.isEmpty)
    }
}

/// A spool of one test; deleted with the value's last reference.
private final class TemporarySpool {
    let path: String

    init(make: Bool = true) throws {
        path = NSTemporaryDirectory() + "progressbus-spool-" + UUID().uuidString
        guard make else { return }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
        return attributes[.posixPermissions] as? Int
    }
}
