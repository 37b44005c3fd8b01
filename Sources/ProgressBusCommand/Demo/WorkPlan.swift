/// Which worker checksums which files: lists of about the same weight, made before work begins.
///
/// The lists are fixed and not drawn from a common heap, because a worker's ticket states its
/// share of the job when it is made, and because equal bytes take about equal time on one machine.
struct WorkPlan: Sendable {
    /// What a file costs beside its bytes, in bytes: opening a small one takes as long as
    /// hashing this much.
    private static let costPerFile: Int64 = 32_768

    /// Indices of the files, one list per worker, each in the order of the files.
    private(set) var lists: [[Int]]

    /// Deals out the files, the largest first, each to the worker that has the least so far.
    init(sizes: [Int64], workers: Int) {
        let count = max(1, min(workers, sizes.count))
        lists = Array(repeating: [], count: count)
        var loads = Heap(count: count)
        let largestFirst = sizes.indices.sorted { left, right in
            sizes[left] == sizes[right] ? left < right : sizes[left] > sizes[right]
        }
        for file in largestFirst {
            let worker = loads.add(sizes[file] + Self.costPerFile)
            lists[worker].append(file)
        }
        for worker in lists.indices {
            lists[worker].sort()
        }
    }

    /// The loads of the workers, the least on top.
    private struct Heap {
        private var entries: [(load: Int64, worker: Int)]

        init(count: Int) {
            entries = (0..<count).map { (0, $0) }
        }

        /// Adds to the least load; returns whose it is.
        mutating func add(_ weight: Int64) -> Int {
            let worker = entries[0].worker
            entries[0].load += weight
            var parent = 0
            while let child = smallerChild(of: parent), entries[child] < entries[parent] {
                entries.swapAt(child, parent)
                parent = child
            }
            return worker
        }

        private func smallerChild(of parent: Int) -> Int? {
            let left = 2 * parent + 1
            guard left < entries.count else { return nil }
            let right = left + 1
            return right < entries.count && entries[right] < entries[left] ? right : left
        }
    }
}
