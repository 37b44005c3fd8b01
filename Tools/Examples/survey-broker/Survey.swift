import Foundation
import ProgressBus
import ServiceLifecycle

/// The work: how many files there are below a directory, and how large they are.
struct Survey: Service {
    /// How long to rest between two surveys.
    static let rest = Duration.seconds(1)

    let directory: String
    let bus: BusClient

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let job = bus.beginJob(
                    "Survey \(directory)",
                    key: "survey",
                    unit: .files,
                    options: TaskOptions(isCancellable: true, isPausable: true)
                )
                do {
                    let (files, bytes) = try await survey(job)
                    job.succeed()
                    say("\(files) files, \(bytes) bytes")
                    try await Task.sleep(for: Self.rest)
                } catch is CancellationError {
                    job.endCancelled()
                } catch {
                    job.fail(error)
                }
            }
        }
    }

    private func survey(_ job: ProgressTask) async throws -> (files: Int, bytes: Int) {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory)
        job.setTotal(paths.count)
        var (files, bytes) = (0, 0)
        for path in job.tracking(paths) {
            // Waits while somebody has paused the job; throws when it is cancelled or we shut down.
            try await job.checkpoint()
            job.setDetail(path)
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: directory + "/" + path
            )
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            files += 1
            bytes += attributes?[.size] as? Int ?? 0
        }
        return (files, bytes)
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
