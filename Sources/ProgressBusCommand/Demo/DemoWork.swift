import ProgressBus

/// The work of one worker process: checksums its files one after the other and says how it goes.
struct DemoWork {
    /// From this size on a file is a task of its own.
    private static let largeFile: Int64 = 8 << 20

    private let files: [FileScan.File]
    /// `nil` with `--no-report`.
    private let task: ProgressTask?
    private let counter: ProgressTask?
    private let stop: StopSignal
    private let buffer: UnsafeMutableRawBufferPointer

    init(files: [FileScan.File], task: ProgressTask?, stop: StopSignal) {
        self.files = files
        self.task = task
        self.stop = stop
        buffer = .allocate(byteCount: FileHasher.pieceSize, alignment: 4096)
        task?.setTotal(files.reduce(0) { $0 + $1.size })
        // Worth nothing: the bytes are what the fraction follows.
        counter = task?.beginChild("Files", share: 0, total: files.count, unit: .files)
    }

    /// Works until all is done; false if it was told to stop before.
    ///
    /// - Throws: `OutputClosed` when the process that wants the results is gone.
    mutating func run() async throws -> Bool {
        defer { buffer.deallocate() }
        for (index, file) in files.enumerated() {
            do {
                try await checksum(file, index)
            } catch is CancellationError {
                counter?.endCancelled()
                task?.endCancelled()
                return false
            }
            counter?.advance()
        }
        counter?.succeed()
        task?.succeed()
        return true
    }

    private func checksum(_ file: FileScan.File, _ index: Int) async throws {
        task?.setDetail(file.name.text)
        let large = file.size < Self.largeFile ? nil : beginChild(for: file)
        let meter = Meter(task: large ?? task, size: file.size)
        do {
            let message = try await digest(of: file, index, meter)
            try StandardStreams.print(message.line)
            large?.succeed()
        } catch let failure as FileHasher.Failure {
            try StandardStreams.print(
                WorkerMessage.leftOut(file: index, reason: failure.reason).line
            )
            task?.log("left out: \(file.name.text) \(failure.reason)")
            large?.endCancelled(failure.reason)
        } catch {
            large?.endCancelled()
            throw error
        }
        meter.finish()
    }

    private func beginChild(for file: FileScan.File) -> ProgressTask? {
        task?.beginChild(
            file.name.lastComponent.text,
            share: file.size,
            total: file.size,
            unit: .bytes
        )
    }

    private func digest(
        of file: FileScan.File,
        _ index: Int,
        _ meter: Meter
    ) async throws -> WorkerMessage {
        var hasher = try FileHasher(opening: file.name)
        repeat {
            guard stop.reason == nil else { throw CancellationError() }
            try await task?.checkpoint()
            let count = try hasher.step(buffer)
            meter.advance(by: count)
            if count == 0 { break }
        } while true
        let digest = try hasher.finish()
        return .sum(file: index, digest: digest, bytes: hasher.bytesRead)
    }
}

/// Counts the bytes of one file towards a task, and never more or less than its size in the plan,
/// so that the worker's total holds also for files that have changed since or cannot be read.
private final class Meter {
    private let task: ProgressTask?
    private var rest: Int

    init(task: ProgressTask?, size: Int64) {
        self.task = task
        rest = Int(clamping: size)
    }

    func advance(by count: Int) {
        let step = min(count, rest)
        guard step > 0 else { return }
        rest -= step
        task?.advance(by: step)
    }

    func finish() {
        advance(by: rest)
    }
}
