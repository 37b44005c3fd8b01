import Foundation
import ProcessMemory
import ProgressBus

/// A worker as the library's users write one, for tests and measurements.
///
/// - `bus-worker short [--close]`: redeems what it inherits, advances once, succeeds and returns
///   from `main`, with `--close` only after the broker has acknowledged that.
/// - `bus-worker leave COUNT [--open]`: ends when its input does; see `Leaving`.
/// - `bus-worker alone UPDATES TASKS`: that many updates to that many tasks, then returns.
/// - `bus-worker jobs COUNT`: that many jobs, all of which change all the time, until it is ended.
/// - `bus-worker picture JOBS SECONDS`: waits for so many jobs and follows the first page of the
///   board for that time.
/// - `bus-worker deaths COUNT`: so many workers are killed, one after the other; how long until a
///   follower sees it. `bus-worker stops COUNT`: so many are stopped, and go on.
/// - `bus-worker restarts WORKERS TIMES`: starts a broker and workers, kills the broker so often;
///   how long until a follower has all again. `bus-worker deaf`: asks for everything, reads nothing.
/// - `bus-worker sessions COUNT`: that many sessions that stop when they are asked to, `bus-worker
///   answer`: a job that does everything it is asked; `bus-worker cancel TASK` and `bus-worker
///   command ROUNDS`: a viewer that asks them; see `Answering`.
/// - `bus-worker flood`: how much a session that says too much delays another.
///
/// Each of these prints one JSON object with what it has measured of itself. For dashboards:
///
/// - `bus-worker busy COUNT HERTZ [--children]`: that many jobs, or children of one, each advanced
///   so often; with 0 they begin and never change. `bus-worker still COUNT`: jobs that have
///   failed, which stay and do not change. Both until their input ends.
/// - `bus-worker fork END`: forks while it works; see `Fork`.
/// - `bus-worker scarce FREE`: begins where hardly a descriptor is left; see `Scarce`.
/// - `bus-worker crew SEED …`: tasks done by processes that come and go; see `Parallelism`.
@main
struct BusWorker {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "short": await short(closing: arguments.contains("--close"))
        case "leave": await Leaving.run(Array(arguments.dropFirst()))
        case "alone": alone(arguments.dropFirst().compactMap { Int($0) })
        case "jobs": await Page.jobs(arguments.dropFirst().compactMap { Int($0) })
        case "picture": await Page.picture(arguments.dropFirst().compactMap { Int($0) })
        case "deaths": await Deaths.measure(arguments.dropFirst().compactMap { Int($0) })
        case "stops": await Stops.measure(arguments.dropFirst().compactMap { Int($0) })
        case "restarts": await Restarts.measure(arguments.dropFirst().compactMap { Int($0) })
        case "deaf": await Deaf.follow()
        case "sessions": await Answering.sessions(Array(arguments.dropFirst()))
        case "answer": await Answering.answer()
        case "cancel": await Answering.cancel(Array(arguments.dropFirst()))
        case "command": await Answering.command(Array(arguments.dropFirst()))
        case "flood": await Flooding.measure()
        case "busy": await Load.busy(Array(arguments.dropFirst()))
        case "still": await Load.still(Array(arguments.dropFirst()))
        case "fork": await Fork.work(Array(arguments.dropFirst()))
        case "scarce": await Scarce.run(Array(arguments.dropFirst()))
        case "crew": await Parallelism.lead(Array(arguments.dropFirst()))
        case "member": await Parallelism.work(Array(arguments.dropFirst()))
        default:
            FileHandle.standardError.write(
                Data(
                    """
                    usage: bus-worker short [--close] | alone UPDATES TASKS | jobs COUNT
                         | leave COUNT [--open] | deaths COUNT | stops COUNT | restarts WORKERS TIMES
                         | deaf | fork END | scarce FREE
                         | picture JOBS SECONDS | busy COUNT HERTZ [--children] | still COUNT
                         | crew SEED [OPTION NUMBER]… | sessions COUNT | cancel TASK
                         | answer | command ROUNDS | flood

                    """.utf8
                )
            )
            exit(64)
        }
    }

    private static func short(closing: Bool) async {
        let bus = BusClient()
        let task = bus.beginJob("Add one", total: 1)
        task.advance()
        task.succeed()
        if closing {
            let isAcknowledged = await bus.close(timeout: .seconds(30))
            print(#"{"acknowledged":\#(isAcknowledged)}"#)
        }
    }

    private static func alone(_ numbers: [Int]) {
        guard numbers.count == 2, numbers[1] > 0 else { exit(64) }
        let (updates, count) = (numbers[0], numbers[1])
        let bus = BusClient()
        let job = bus.beginJob("Sum a table alone", total: count)
        let tasks = (0..<count).map { job.beginChild("Sum column \($0)", total: updates) }
        // What is allocated once is allocated by then.
        update(tasks, times: updates / 10)
        let before = ProcessMemory.peak
        let began = ContinuousClock.now
        update(tasks, times: updates)
        let took = began.duration(to: .now) / .nanoseconds(1)
        let growth = ProcessMemory.peak - before
        // Ends in every way that is said without a broker; the last thing before main returns.
        for task in tasks.prefix(10) { task.succeed() }
        job.succeed()
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let returned = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        print(
            #"{"growth":\#(growth),"nanosecondsPerUpdate":\#(took / Double(updates)),"#
                + #""returned":\#(returned)}"#
        )
    }

    private static func update(_ tasks: [ProgressTask], times: Int) {
        var index = 0
        for number in 0..<times {
            tasks[index].advance()
            if number % 1_000 == 0 { tasks[index].setDetail("update \(number)") }
            index = index + 1 == tasks.count ? 0 : index + 1
        }
    }
}
