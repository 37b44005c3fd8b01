import ProgressBus

/// The code of the documentation's quick start; the test beside it compares and runs it.
enum QuickStart {
    static func run(bus: BusClient, files: [String], index: (String) -> Void) async throws {
        // quick-start
        let backup = bus.beginJob("Back up photos", total: 4)

        let scan = backup.beginChild("Scan the library", share: 1, total: files.count, unit: .files)
        for file in files {
            index(file)
            scan.advance()
        }
        scan.succeed()

        try await backup.withChild("Verify", share: 3, total: files.count, unit: .files) { task in
            for file in files {
                try await task.checkpoint()
                task.setDetail(file)
                task.advance()
            }
        }

        backup.succeed()
        await bus.close(timeout: .seconds(5))
        // end
    }
}
