import Foundation
import ProgressBus

/// Tasks done by processes that come and go, some of which are killed.
///
/// `crew SEED` begins the job "Parallelism" and starts processes that begin its children, "Sort task 01" and so
/// on, one after the other for each process. Options, each with a number: `--tasks` 40, `--workers`
/// at a time 12, `--each` tasks of a process at most 3, `--shortest` 400 and `--longest` 2000
/// milliseconds of a task, `--kills` 3 processes killed while they work, `--jobs` 1 for jobs of
/// their own, with their titles as keys, instead of children, `--first` number of the first task,
/// `--shuffled` 1 for another order, `--slow` N for every Nth task to take 1.5 s.
///
/// Prints a line for each event, with the system's monotonic time in seconds:
/// `began PID TIME LABEL`, `ending PID TIME LABEL` before the end is said, `killed PID TIME`, and
/// `done` at last.
enum Parallelism {
    struct Plan {
        var tasks = 40
        var workers = 12
        var each = 3
        var shortest = 400
        var longest = 2_000
        var kills = 3
        var jobs = 0
        var first = 1
        var shuffled = 0
        var slow = 0

        init?(_ options: [String]) {
            guard options.count % 2 == 0 else { return nil }
            for index in stride(from: 0, to: options.count, by: 2) {
                guard let number = Int(options[index + 1]), number >= 0 else { return nil }
                switch options[index] {
                case "--tasks": tasks = number
                case "--workers": workers = max(1, number)
                case "--each": each = max(1, number)
                case "--shortest": shortest = number
                case "--longest": longest = number
                case "--kills": kills = number
                case "--jobs": jobs = number
                case "--first": first = number
                case "--shuffled": shuffled = number
                case "--slow": slow = number
                default: return nil
                }
            }
            longest = max(longest, shortest)
        }
    }

    static func lead(_ arguments: [String]) async {
        guard let seed = arguments.first.flatMap({ UInt64($0) }),
            let plan = Plan(Array(arguments.dropFirst()))
        else { exit(64) }
        let bus = BusClient()
        let options = TaskOptions(expectedChildren: plan.tasks)
        let job = plan.jobs == 0 ? bus.beginJob("Parallelism", key: "crew", options: options) : nil
        if job != nil { _ = await bus.sync() }
        var leader = CrewLeader(plan, seed: seed, parent: job?.id.description)
        await leader.run()
        job?.succeed()
        await bus.close(timeout: .seconds(10))
        print("done")
    }

    /// One process of the crew: `member LABEL=MILLISECONDS…`.
    static func work(_ arguments: [String]) async {
        let parent = ProcessInfo.processInfo.environment["PROGRESSBUS_PARENT"].flatMap {
            TaskID($0)
        }
        let leader = getppid()
        let bus = BusClient()
        for argument in arguments {
            let parts = argument.split(separator: "=").map(String.init)
            guard parts.count == 2, let milliseconds = Int(parts[1]) else { exit(64) }
            let task =
                parent.map { bus.beginChild(parts[0], of: $0, total: 100) }
                ?? bus.beginJob(parts[0], key: parts[0], total: 100)
            say("began", parts[0])
            let steps = max(1, milliseconds / 50)
            for step in 1...steps {
                try? await Task.sleep(for: .milliseconds(milliseconds) / steps)
                // Nobody would wait for what is left.
                if getppid() != leader { exit(0) }
                task.complete(100 * step / steps)
            }
            say("ending", parts[0])
            task.succeed()
        }
        await bus.close(timeout: .seconds(10))
    }

    /// One line in one write, so that those of many processes do not mix.
    static func say(_ event: String, pid: Int32 = getpid(), _ label: String = "") {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let time = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        FileHandle.standardOutput.write(Data("\(event) \(pid) \(time) \(label)\n".utf8))
    }
}

/// Starts the processes of a crew, kills some, and starts others for what these had not begun.
struct CrewLeader {
    private struct Member {
        var process: Process
        var work: ArraySlice<String>
        var killAt: ContinuousClock.Instant?
        var began = ContinuousClock.now
    }

    private let plan: Parallelism.Plan
    private let parent: String?
    private var chance: SplitMix
    private var work: [String] = []
    private var members: [Member] = []
    private var killsLeft: Int
    private var started = 0

    init(_ plan: Parallelism.Plan, seed: UInt64, parent: String?) {
        self.plan = plan
        self.parent = parent
        chance = SplitMix(state: seed)
        killsLeft = plan.kills
        let last = plan.first + plan.tasks - 1
        var numbers = Array(plan.first..<plan.first + plan.tasks)
        if plan.shuffled > 0 { numbers.shuffle(using: &chance) }
        work = numbers.map { number in
            let usual = Int.random(in: plan.shortest...plan.longest, using: &chance)
            let milliseconds = plan.slow > 0 && number % plan.slow == 0 ? 1_500 : usual
            return "\(Load.label(number, of: max(last, plan.tasks)))=\(milliseconds)"
        }
        // The first is to be taken from the end.
        work.reverse()
    }

    mutating func run() async {
        while !work.isEmpty || !members.isEmpty {
            while members.count < plan.workers, !work.isEmpty { start() }
            killWhoIsDue()
            for index in members.indices.reversed() where !members[index].process.isRunning {
                members.remove(at: index)
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private mutating func start() {
        let count = min(work.count, Int.random(in: 1...plan.each, using: &chance))
        let taken = (0..<count).compactMap { _ in work.popLast() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["member"] + taken
        process.standardInput = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["PROGRESSBUS_PARENT"] = parent
        process.environment = environment
        do {
            try process.run()
        } catch {
            FileHandle.standardError.write(Data("cannot start a member: \(error)\n".utf8))
            exit(71)
        }
        var member = Member(process: process, work: taken[...])
        started += 1
        // Every fourth, within its first task.
        if killsLeft > 0, started % 4 == 0 {
            killsLeft -= 1
            let moment = Int.random(in: plan.shortest / 2...plan.shortest, using: &chance)
            member.killAt = member.began + .milliseconds(moment)
        }
        members.append(member)
    }

    private mutating func killWhoIsDue() {
        for index in members.indices {
            guard let moment = members[index].killAt, moment < .now else { continue }
            members[index].killAt = nil
            let process = members[index].process
            guard process.isRunning else { continue }
            Parallelism.say("killed", pid: process.processIdentifier)
            kill(process.processIdentifier, SIGKILL)
            // Others do what it had not begun.
            work += members[index].work.dropFirst().reversed()
        }
    }
}

/// Small numbers that are the same for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
