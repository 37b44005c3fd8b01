import Foundation

/// The programs under test, as the build has left them beside this test bundle.
enum Programs {
    /// The command line of the product.
    static func progressbus() throws -> String {
        try path("progressbus")
    }

    /// The helper that uses the library as a worker does; see Tools/TestSupport/bus-worker.
    static func busWorker() throws -> String {
        try path("bus-worker")
    }

    /// What plays the frames of very many sessions; see Tools/Benchmarks/bus-load.
    static func busLoad() throws -> String {
        try path("bus-load")
    }

    /// What kills, stops and starves the processes of a bus of its own; see Tools/TestSupport/bus-chaos.
    static func busChaos() throws -> String {
        try path("bus-chaos")
    }

    /// An example of Tools/Examples.
    static func example(_ name: String) throws -> String {
        try path(name)
    }

    /// The Python that has our package, where `Tools/Clients/Python/test` has set it up.
    static var python: String {
        let own = packagePath(".build/python-venv/bin/python")
        return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
    }

    /// A path below the package, which is above this file.
    static func packagePath(_ relative: String) -> String {
        let file = URL(fileURLWithPath: #filePath)
        return file.appending(path: "../../../../" + relative).standardizedFileURL.path
    }

    /// Whether somebody else's program is on the PATH.
    static func isInstalled(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    struct Missing: Error, CustomStringConvertible {
        var name: String
        var directories: [String]
        var description: String {
            "there is no program \(name) in \(directories); build the whole package first"
        }
    }

    private static func path(_ name: String) throws -> String {
        for directory in directories {
            let path = directory + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Missing(name: name, directories: directories)
    }

    /// Where the build puts programs: beside the test bundle.
    private static let directories: [String] = {
        var paths = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        #if os(Linux)
        if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            paths.append(own)
        }
        #endif
        paths.append(CommandLine.arguments[0])
        return paths.map { ($0 as NSString).deletingLastPathComponent }
    }()
}
