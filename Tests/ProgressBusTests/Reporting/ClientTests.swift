import Foundation
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

/// The public face where no broker runs: works, says nothing, costs nothing.
@Suite("A client without a broker")
struct ClientTests {
    /// Nobody listens there, and nobody ever will.
    static let nowhere = BusConfiguration(
        endpoint: "ipc:///nobody/ever/listens",
        environment: [:]
    )

    @Test("Amounts, totals and shares are held within their range")
    func numbers() {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Count things", total: .max)
        #expect(job.total == .max)
        job.setTotal(-5)
        #expect(job.total == 0)
        job.clearTotal()
        #expect(job.total == nil)
        job.complete(.max)
        #expect(job.completed == .max)
        job.complete(-1)
        #expect(job.completed == 0)
        job.advance(by: .min)
        #expect(job.completed == 0)
        job.complete(7)
        job.advance(by: -3)
        #expect(job.completed == 4)
        let child = job.beginChild("Count more", share: -4)
        #expect(child.total == nil)
        #expect(bus.reporter.peek { $0.tasks[child.id.index]?.described?.share } == 0)
        #expect(bus.reporter.peek { $0.tasks[job.id.index]?.described?.share } == nil)
    }

    @Test("Ids are made without asking anybody and rise")
    func ids() {
        let bus = BusClient(Self.nowhere)
        let first = bus.beginJob("Scan the library")
        let second = first.beginChild("Scan one shelf")
        #expect(first.id.session == bus.session)
        #expect(second.id.index == first.id.index + 1)
        #expect(TaskID(first.description) == first.id)
        #expect(BusClient(Self.nowhere).session != bus.session)
    }

    @Test("Close and sync answer at once, close with whether anything is missing")
    func close() async {
        let clock = ContinuousClock()
        let start = clock.now
        let unused = BusClient(Self.nowhere)
        #expect(await unused.close())
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Scan the library")
        #expect(await !bus.sync())
        job.succeed()
        // Their answers may wait for a thread of Swift's as long as other tests run; nobody waits
        // for a broker.
        #expect(await !bus.close(timeout: .seconds(3_600)))
        #expect(await !bus.close(timeout: .seconds(3_600)))
        #expect(clock.now - start < .seconds(3_600), "nobody to wait for")
        let late = bus.beginJob("Too late")
        late.advance()
        #expect(late.isEnded)
    }

    @Test("An endpoint that makes no sense is no reason to fail")
    func badEndpoint() async {
        let bus = BusClient(BusConfiguration(endpoint: "http://example.org", environment: [:]))
        #expect(await bus.sync(), "nothing was said")
        #expect(bus.endpoint == nil)
        let job = bus.beginJob("Scan the library", total: 3)
        job.advance()
        #expect(await !bus.sync(), "nobody has what was said")
        job.succeed()
        #expect(await !bus.close())
    }

    /// Not Sendable, as most of what programs have.
    private final class Tally { var count = 0 }

    @MainActor
    @Test("withJob and withChild run on the caller's actor, where the task is the current one")
    func isolation() async throws {
        let bus = BusClient(Self.nowhere)
        let tally = Tally()
        #expect(ProgressTask.current == nil)
        let id = try await bus.withJob("Back up", total: 2) { job in
            MainActor.assertIsolated()
            tally.count += 1
            #expect(ProgressTask.current?.id == job.id)
            let inner = try await job.withChild("Verify") { child in
                await Task.yield()
                MainActor.assertIsolated()
                tally.count += 1
                return (child.id, ProgressTask.current?.id)
            }
            #expect(inner.0 == inner.1)
            #expect(ProgressTask.current?.id == job.id)
            return job.id
        }
        #expect(tally.count == 2 && ProgressTask.current == nil)
        #expect(bus.reporter.peek { $0.tasks[id.index]?.state } == .succeeded)
    }

    @Test("Code that is handed no task reports below the current one, and to nobody without one")
    func currentParts() async throws {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Index")
        func index(_ files: [String]) async throws -> TaskID {
            for _ in ProgressTask.tracking(files) {}
            ProgressTask.beginChild("Sort").succeed()
            return try await ProgressTask.withChild("Write", total: 1) { part in
                let parent = bus.reporter.peek { $0.tasks[part.id.index]?.parent }
                #expect(part.id.session != bus.session || parent == job.id.index + 1)
                return part.id
            }
        }
        let part = try await job.withChild("Scan") { task in
            let part = try await index(["a", "b", "c"])
            #expect(task.completed == 3 && task.total == 3)
            return part
        }
        #expect(part.session == bus.session)
        #expect(try await index(["a"]).session != bus.session)
        job.succeed()
    }

    @Test("withChild ends as its code ends")
    func withChild() async throws {
        struct Broken: Error {}
        struct Worded: LocalizedError {
            var errorDescription: String? { "The tape is torn." }
        }
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Back up")
        let value = try await job.withChild("Verify", total: 3) { task in
            for _ in 0..<3 {
                try await task.checkpoint()
                task.advance()
            }
            return task.completed
        }
        #expect(value == 3)
        await #expect(throws: Broken.self) {
            try await job.withChild("Break") { _ in throw Broken() }
        }
        await #expect(throws: Worded.self) {
            try await job.withChild("Break in words") { _ in throw Worded() }
        }
        await #expect(throws: CancellationError.self) {
            try await job.withChild("Give up") { _ in throw CancellationError() }
        }
        let ended = Mutex<ProgressTask?>(nil)
        try await job.withChild("Say it oneself") { task in
            task.fail("no paper")
            ended.withLock { $0 = task }
        }
        // Those that went well or were given up are folded away if they were quick enough.
        let states =
            bus.reporter.peek { machine in
                machine.tasks[job.id.index].map { job in
                    machine.tasks.children(of: job).sorted { $0.index < $1.index }.map(\.state)
                }
            } ?? []
        let fold = bus.reporter.peek { $0.tasks[job.id.index]?.fold?.folded }
        let failures = states.filter(\.hasFailed)
        let reasons = ["Broken()", "The tape is torn.", "no paper"]
        #expect(failures == reasons.map { .failed(reason: $0) })
        #expect(states.count { $0 == .succeeded } + (fold?.succeeded ?? 0) == 1)
        #expect(states.count + (fold?.count ?? 0) == 5)
        #expect(ended.withLock { $0?.isEnded } == true)
    }

    @Test("Cancelling the surrounding Swift task cancels the code of withChild")
    func cancelAround() async {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Back up")
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await job.withChild("Wait") { _ in
                beginning.yield()
                try await Task.sleep(for: .seconds(600))
            }
        }
        for await _ in begun { break }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test("A cancel request cancels the code of withChild, and checkpoints throw")
    func cancelRequest() async {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Back up")
        let (children, child) = AsyncStream.makeStream(of: ProgressTask.self)
        let work = Task {
            try await job.withChild("Wait") { task in
                child.yield(task)
                try await Task.sleep(for: .seconds(600))
            }
        }
        for await task in children {
            job.requestCancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            #expect(task.isCancelled)
            break
        }
        #expect(!job.isCancelled, "the job has not said that it can be cancelled")
    }

    @Test("A checkpoint waits while the task is to hold, and goes on or throws")
    func checkpoint() async throws {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob(
            "Back up",
            options: TaskOptions(isCancellable: true, isPausable: true)
        )
        try await job.checkpoint()
        bus.reporter.request(.pause, of: job.id.index)
        #expect(job.isPauseRequested)
        let first = Task { try await job.checkpoint() }
        await bus.untilHolding(job)
        bus.reporter.request(.resume, of: job.id.index)
        try await first.value
        #expect(bus.reporter.peek { $0.tasks[job.id.index]?.state } == .running)

        bus.reporter.request(.pause, of: job.id.index)
        let second = Task { try await job.checkpoint() }
        await bus.untilHolding(job)
        job.requestCancel()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test("A Swift task that is cancelled while it holds leaves its checkpoint")
    func cancelWhileHolding() async {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Back up", options: TaskOptions(isPausable: true))
        bus.reporter.request(.pause, of: job.id.index)
        let work = Task { try await job.checkpoint() }
        await bus.untilHolding(job)
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(bus.reporter.peek { $0.tasks[job.id.index]?.holders } == 0)
    }

    @Test("Every handler is called once per request, a late one at once")
    func handlers() async {
        let bus = BusClient(Self.nowhere)
        let job = bus.beginJob("Back up")
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        job.onCancel { call.yield(1) }
        job.onCancel {
            call.yield(2)
            throw RequestRefusal("not now")
        }
        job.requestCancel()
        job.onPause { call.yield(9) }
        var heard: [Int] = []
        for await number in calls {
            heard.append(number)
            if heard.count == 2 { break }
        }
        #expect(heard == [1, 2])
        await bus.until { $0.tasks[job.id.index]?.requested(.cancel) == true }
        let (lateCalls, lateCall) = AsyncStream.makeStream(of: Int.self)
        job.onCancel { lateCall.yield(3) }
        for await number in lateCalls {
            #expect(number == 3)
            break
        }
    }

    @Test("Tracking counts an element when the next one is asked for")
    func tracking() async throws {
        let bus = BusClient(Self.nowhere)
        let scan = bus.beginJob("Scan pages")
        for page in scan.tracking([10, 20, 30]) where page == 20 {
            #expect(scan.completed == 1)
        }
        #expect(scan.completed == 3)
        #expect(scan.total == 3)
        for page in scan.tracking(1...10) where page == 5 { break }
        #expect(scan.completed == 7)
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<4 { source.yield(number) }
        source.finish()
        for await _ in scan.tracking(stream) {}
        #expect(scan.completed == 11)
    }

    @Test("I-10: a title that says nothing is warned about, once and where that is wanted")
    func vagueTitleWarnings() {
        var configuration = Self.nowhere
        configuration.warnsOfMistakes = true
        let bus = BusClient(configuration)
        let job = bus.beginJob("Back up photos")
        #expect(bus.warnings.isEmpty)
        bus.beginJob("Loading…").succeed()
        _ = job.beginChild("Loading…")
        #expect(bus.warnings.count == 1)
        #expect(bus.warnings.first?.contains("\"Loading…\" does not say what is done") == true)
        _ = job.beginChild("")
        job.setTitle("Please wait")
        #expect(bus.warnings.count == 3)
        job.succeed()

        configuration.warnsOfMistakes = false
        let quiet = BusClient(configuration)
        _ = quiet.beginJob("Loading…")
        #expect(quiet.warnings.isEmpty)
    }

    @Test("A job whose handle is let go of before its ending is warned about, once and in words")
    func leftJobs() async throws {
        var configuration = Self.nowhere
        configuration.warnsOfMistakes = true
        let bus = BusClient(configuration)
        bus.beginJob("Back up photos").fail("The disk is full.")
        let job = bus.beginJob("Scan the library")
        _ = job.beginChild("Scan one shelf")
        try await bus.withJob("Verify") { _ in }
        #expect(bus.warnings.isEmpty)
        for _ in 0..<2 { _ = bus.beginJob("Sort the shelves") }
        #expect(bus.warnings.count == 1)
        let isSaid = bus.warnings.first?.hasPrefix("\"Sort the shelves\" was let go of before")
        #expect(isSaid == true)
        job.succeed()
        await bus.close()
        _ = bus.beginJob("Too late")
        #expect(bus.warnings.count == 1)
    }

    @Test("I-10: a title that says nothing is recognised, one that says something is not")
    func vagueTitles() {
        for title in ["Loading…", "please wait...", "WORKING", "", "  Processing "] {
            #expect(VagueTitles.contains(title), "\(title)")
        }
        for title in ["Loading the map", "Scan the library", "Upload"] {
            #expect(!VagueTitles.contains(title), "\(title)")
        }
    }

    @Test("Texts are cut between characters and lose their control characters")
    func clipping() {
        #expect("abc".clipped(toBytes: 2) == "ab")
        #expect("aé".clipped(toBytes: 2) == "a")
        #expect("a\u{1b}[31mb\nc".clipped(toBytes: 20) == "a [31mb c")
        #expect("👩‍👩‍👧b".clipped(toBytes: 18) == "👩‍👩‍👧")
        #expect("a👩‍👩‍👧".clipped(toBytes: 10) == "a")
    }
}

extension BusClient {
    /// What was said to the people who run or write the program, as far as it is said once.
    var warnings: Set<String> { reporter.state.withLock { $0.saidTexts } }

    /// Returns once the machine is in a state; gives other tasks their turn meanwhile.
    func until(_ isReached: @Sendable (ReportingMachine) -> Bool) async {
        while reporter.peek({ isReached($0) }) != true { await Task.yield() }
    }

    func untilHolding(_ task: ProgressTask) async {
        await until { $0.tasks[task.id.index]?.state == .paused }
    }
}
