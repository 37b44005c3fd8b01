/// Ten jobs of a session each, whose leaves are four levels below them; built by report frames.
struct Forest {
    /// Every leaf has so much to do.
    static let total: Int64 = 1_000_000

    var bus: Bus
    var workers: [Worker]
    /// The leaves of each worker, in runs of consecutive indices.
    private(set) var leaves: [[Range<UInt64>]]
    private var completed: Int64 = 0

    init(leaves count: Int) {
        bus = Bus()
        workers = (0..<10).map(Worker.init)
        leaves = []
        // Below each job; the product is a tenth of all leaves.
        let fans = count / 10 >= 100_000 ? [10, 10, 20, 50] : Self.fans(of: count / 10)
        for number in workers.indices {
            workers[number].sayHello(to: &bus)
            var level = [workers[number].begin(1, below: 0, total: nil, on: &bus)]
            for fan in fans {
                let isLast = level.first?.lowerBound != 1 && fan == fans.last
                var next: [Range<UInt64>] = []
                for parent in level.joined() {
                    next.append(
                        workers[number].begin(
                            fan,
                            below: parent,
                            total: isLast ? Self.total : nil,
                            on: &bus
                        )
                    )
                }
                level = next
            }
            leaves.append(level)
            bus.tick()
        }
        bus.tick()
    }

    var leafCount: Int { leaves.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } } }

    /// Frames in which each leaf advances once, a thousand tasks in each, worker after worker in
    /// turns.
    mutating func round() -> [[UInt8]] {
        completed += 1
        var perWorker: [[[UInt8]]] = []
        for number in workers.indices {
            let all = Array(leaves[number].joined())
            var frames: [[UInt8]] = []
            for start in stride(from: 0, to: all.count, by: Worker.amountsPerFrame) {
                let end = min(all.count, start + Worker.amountsPerFrame)
                frames.append(
                    workers[number].amounts(all[start..<end], at: completed, of: Self.total)
                )
            }
            perWorker.append(frames)
        }
        let most = perWorker.map(\.count).max() ?? 0
        return (0..<most).flatMap { place in
            perWorker.compactMap { place < $0.count ? $0[place] : nil }
        }
    }

    /// Frames in which so many leaves advance, spread evenly over all of the tree.
    mutating func spread(_ count: Int) -> [[UInt8]] {
        completed += 1
        let perWorker = count / workers.count
        return workers.indices.flatMap { number -> [[UInt8]] in
            // By arithmetic: a list of all leaves would put whatever the broker has just used out of
            // the caches, the more the larger the tree is.
            let runs = leaves[number]
            let run = runs[0].count
            let all = runs.count * run
            let step = max(1, all / perWorker)
            let chosen = (0..<perWorker).map { place -> UInt64 in
                let leaf = (place * step + Int(completed)) % all
                return runs[leaf / run].lowerBound + UInt64(leaf % run)
            }
            .sorted()
            return stride(from: 0, to: chosen.count, by: Worker.amountsPerFrame).map { start in
                let end = min(chosen.count, start + Worker.amountsPerFrame)
                return workers[number].amounts(
                    chosen[start..<end],
                    at: completed,
                    of: Self.total
                )
            }
        }
    }

    mutating func beat() {
        for worker in workers { worker.beat(&bus) }
    }

    private static func fans(of leaves: Int) -> [Int] {
        leaves >= 10_000 ? [10, 10, 10, leaves / 1_000] : [5, 5, 4, leaves / 100]
    }
}
