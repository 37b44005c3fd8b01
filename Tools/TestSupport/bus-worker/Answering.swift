import Foundation
import ProgressBus
import Synchronization
import TaskTree
import ZeroMQ

/// Workers that do as they are told, and a viewer that measures how quickly they say so.
enum Answering {
    /// Many sessions in this process, each with a child of `PROGRESSBUS_PARENT` that ends when it
    /// is asked to stop; prints a line when all are known to the broker, and one when all have ended.
    static func sessions(_ arguments: [String]) async {
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0,
            let parent = ProcessInfo.processInfo.environment["PROGRESSBUS_PARENT"].flatMap({
                TaskID($0)
            })
        else { exit(64) }
        // Each session has some ten descriptors, and the usual limit is about a thousand.
        _ = DescriptorLimit.raise()
        let ended = Atomic(0)
        let ending = Ended()
        let clients = (0..<count).map { _ in BusClient() }
        for (number, client) in clients.enumerated() {
            let title = "\(Load.label(number + 1, of: count)) of \(getpid())"
            let task = client.beginChild(title, of: parent, total: 100)
            task.onCancel {
                task.endCancelled("as asked")
                if ended.add(1, ordering: .relaxed).newValue == count { ending.signal() }
            }
        }
        for client in clients {
            guard await client.sync(timeout: .seconds(60)) else { exit(75) }
        }
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        await ending.wait()
        await withTaskGroup { group in
            for client in clients { group.addTask { await client.close(timeout: .seconds(30)) } }
        }
        print(#"{"cancelled":\#(ended.load(ordering: .relaxed))}"#)
    }

    /// One job with handlers that accept everything, until the input ends.
    static func answer() async {
        let bus = BusClient()
        let job = bus.beginJob("Answer at once", key: "answer")
        job.onPause {}
        job.onResume {}
        _ = await bus.sync()
        let input = InputEnd()
        while !input.isReached { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// Asks the job of `answer` to pause and to resume, so many times in turns.
    static func command(_ arguments: [String]) async {
        guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0 else { exit(64) }
        let follower = BusFollower()
        do {
            let id = TaskSelector.id(try await follower.find(.key("answer")).task)
            let exact = try await milliseconds(rounds, follower, on: id)
            let named = try await milliseconds(rounds, follower, on: .key("answer"))
            print(
                #"{"median":\#(exact.at(0.5)),"p99":\#(exact.at(0.99)),"worst":\#(exact.at(1)),"#
                    + #""namedMedian":\#(named.at(0.5)),"namedP99":\#(named.at(0.99))}"#
            )
        } catch {
            fail(error)
        }
    }

    /// Cancels a job and says who answered, and after how long the last one did.
    static func cancel(_ arguments: [String]) async {
        guard let task = arguments.first else { exit(64) }
        let follower = BusFollower()
        do {
            let id = TaskSelector.id(try await follower.find(TaskSelector(task)).task)
            let began = ContinuousClock.now
            let answers = try await follower.perform(.cancel, on: id, timeout: .seconds(30))
            let took = began.duration(to: .now) / .milliseconds(1)
            let accepted = answers.count { $0.outcome == .accepted }
            let processes = Set(answers.compactMap { $0.process?.pid }).count
            let sessions = Set(answers.compactMap(\.session)).count
            print(
                #"{"sessions":\#(sessions),"accepted":\#(accepted),"processes":\#(processes),"#
                    + #""milliseconds":\#(took)}"#
            )
        } catch {
            fail(error)
        }
    }

    private static func milliseconds(
        _ rounds: Int,
        _ follower: BusFollower,
        on task: TaskSelector
    ) async throws -> [Double] {
        var taken: [Double] = []
        for round in 0..<rounds {
            let began = ContinuousClock.now
            let verb: TaskRequest = round % 2 == 0 ? .pause : .resume
            let answers = try await follower.perform(verb, on: task)
            guard answers.map(\.outcome) == [.accepted] else { exit(75) }
            taken.append(began.duration(to: .now) / .milliseconds(1))
        }
        return taken.sorted()
    }

    private static func fail(_ error: any Error) {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(69)
    }
}

extension [Double] {
    /// The value below which this part of them lies; they are sorted.
    fileprivate func at(_ part: Double) -> Double {
        self[Swift.min(count - 1, Int(part * Double(count)))]
    }
}

/// Waits for something that happens once.
private final class Ended: Sendable {
    private let (stream, continuation) = AsyncStream<Void>.makeStream()

    func signal() { continuation.finish() }

    func wait() async {
        for await _ in stream {}
    }
}
