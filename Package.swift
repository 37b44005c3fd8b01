// swift-tools-version:6.2
import PackageDescription

// Every import points to a smaller layer; CONTRIBUTING.md has the map.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Trees check themselves after every change: in debug builds, which tests are; never in a release.
    .define("PROGRESSBUS_INTERNAL_CHECKS", .when(configuration: .debug)),
]

// Who wants the product ProgressBus alone fetches two packages with `traits: []`, and six without.
let everything: TargetDependencyCondition? = .when(traits: ["Everything"])

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: everything
)
let lifecycleTests: Target.Dependency = .product(
    name: "ServiceLifecycleTestKit",
    package: "swift-service-lifecycle",
    condition: everything
)
let signals: Target.Dependency = .product(
    name: "UnixSignals",
    package: "swift-service-lifecycle",
    condition: everything
)
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: everything
)
let collections: Target.Dependency = .product(
    name: "HeapModule",
    package: "swift-collections",
    condition: everything
)
let queues: Target.Dependency = .product(
    name: "DequeModule",
    package: "swift-collections",
    condition: everything
)

// On Linux the headers are where every compiler looks, and Debian's libzmq.pc names flags that
// SwiftPM refuses with a warning at every build.
#if os(macOS)
let zeroMQPackage: String? = "libzmq"
let sodiumPackage: String? = "libsodium"
let natsPackage: String? = "libnats"
#else
let zeroMQPackage: String? = nil
let sodiumPackage: String? = nil
let natsPackage: String? = nil
#endif

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: dependencies + ["TestSupport"],
        exclude: exclude,
        swiftSettings: settings
    )
}

let package = Package(
    name: "progressbus",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ProgressBus", targets: ["ProgressBus"]),
        .library(name: "ProgressBusBroker", targets: ["ProgressBusBroker"]),
        .library(name: "ProgressBusFoundation", targets: ["ProgressBusFoundation"]),
        .library(name: "ProgressBusService", targets: ["ProgressBusService"]),
        .library(name: "ProgressBusTesting", targets: ["ProgressBusTesting"]),
        .executable(name: "progressbus", targets: ["ProgressBusCommand"]),
        .executable(name: "progressbus-fleet", targets: ["FleetBridge"]),
    ],
    traits: [
        .trait(
            name: "Everything",
            description: "What all products but ProgressBus and ProgressBusFoundation need."
        ),
        .default(enabledTraits: ["Everything"]),
    ],
    dependencies: [
        // Without its traits, which read streams of Foundation: the program links FoundationEssentials alone.
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Layer 0
        .systemLibrary(
            name: "CZeroMQ",
            pkgConfig: zeroMQPackage,
            providers: [.apt(["libzmq3-dev"]), .brew(["zeromq"])]
        ),
        .systemLibrary(
            name: "CNcurses",
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        // It comes with libzmq, which needs it.
        .systemLibrary(
            name: "CSodium",
            pkgConfig: sodiumPackage,
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
        ),
        // Only for progressbus-fleet: whoever builds another product needs no libnats.
        .systemLibrary(
            name: "CNats",
            pkgConfig: natsPackage,
            providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
        ),
        .target(name: "CProcessControl", path: "Sources/CProcessControl"),
        .target(name: "CListenerGuard", path: "Sources/CListenerGuard"),
        library("CLibrary", []),
        library("Essentials", []),
        library("TaskTree", []),
        library("CellScreen", []),
        library("OutputReading", []),
        // Layer 1
        library("ZeroMQ", ["CLibrary", "CZeroMQ"]),
        library("ProcessControl", ["CLibrary", "CProcessControl"]),
        library("Checksum", ["CSodium"]),
        library("BusProtocol", ["CLibrary", "Essentials", "TaskTree", protobuf]),
        library("TimeLeft", ["TaskTree"]),
        // Layer 2
        library("BrokerCore", ["TaskTree", "TimeLeft", "BusProtocol", "Checksum", collections]),
        library("FleetCore", ["TaskTree", "BusProtocol"]),
        library(
            "ProgressBus",
            [
                "CLibrary", "Essentials", "TaskTree", "BusProtocol", "ZeroMQ", "ProcessControl",
                logging,
            ]
        ),
        // Layer 3
        library("DashboardCore", ["TaskTree", "CellScreen", "ProgressBus"]),
        library(
            "BrokerJournal",
            ["CLibrary", "Essentials", "TaskTree", "BrokerCore", "Checksum", "CSQLite", "ZeroMQ"]
        ),
        library("ProgressBusFoundation", ["ProgressBus"]),
        library("ProgressBusTesting", ["TaskTree", "BusProtocol", "BrokerCore", "ProgressBus"]),
        library("ProgressBusService", ["ProgressBus", lifecycle]),
        .executableTarget(
            name: "FleetBridge",
            dependencies: [
                "CLibrary", "Essentials", "TaskTree", "BusProtocol", "FleetCore", "ProgressBus",
                "ZeroMQ", "CNats", arguments, logging,
            ],
            swiftSettings: settings
        ),
        // Layer 4
        library(
            "Dashboard",
            [
                "CLibrary", "Essentials", "TaskTree", "CellScreen", "DashboardCore", "ProgressBus",
                "ZeroMQ", "CNcurses", "ProcessControl", "CProcessControl",
            ]
        ),
        library(
            "ProgressBusBroker",
            [
                "CLibrary", "Essentials", "TaskTree", "BrokerCore", "BrokerJournal", "BusProtocol",
                "ZeroMQ", queues, logging, lifecycle,
            ]
        ),
        // Layer 5
        .executableTarget(
            name: "ProgressBusCommand",
            dependencies: [
                "Essentials", "TaskTree", "OutputReading", "DashboardCore", "Dashboard",
                "ProgressBus", "ProgressBusBroker", "BusProtocol", "FleetCore", "ZeroMQ",
                "ProcessControl", "CProcessControl", "CListenerGuard", "Checksum", arguments,
                lifecycle, logging,
                signals,
            ],
            swiftSettings: settings
        ),

        // Tests
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests("TaskTree", ["TaskTree"], exclude: ["Conformance"]),
        tests("TimeLeft", ["TimeLeft", "TaskTree"]),
        tests("CellScreen", ["CellScreen"]),
        tests("OutputReading", ["OutputReading"], exclude: ["Recordings"]),
        tests("ZeroMQ", ["ZeroMQ"]),
        tests("BusProtocol", ["BusProtocol", "TaskTree", protobuf]),
        tests("FleetCore", ["FleetCore", "BusProtocol", "TaskTree"]),
        tests(
            "BrokerCore",
            ["BrokerCore", "BusProtocol", "TaskTree", "FleetCore", "ProgressBus", protobuf]
        ),
        tests(
            "DashboardCore",
            ["DashboardCore", "CellScreen", "ProgressBus", "TaskTree"],
            exclude: ["Snapshots"]
        ),
        tests(
            "Dashboard",
            ["Dashboard", "DashboardCore", "CellScreen", "TaskTree", "ProgressBus"]
        ),
        tests("BrokerJournal", ["BrokerJournal", "BrokerCore", "TaskTree"]),
        tests("ProgressBus", ["ProgressBus", "BusProtocol", "TaskTree"]),
        tests(
            "ProgressBusCommand",
            [
                "ProgressBusCommand", "DashboardCore", "ProgressBus", "BusProtocol", "TaskTree",
                "OutputReading", "ProcessControl", "ProgressBusTesting", arguments,
            ]
        ),
        tests("ProgressBusFoundation", ["ProgressBusFoundation", "ProgressBus"]),
        tests("ProgressBusTesting", ["ProgressBusTesting", "ProgressBus", "TaskTree"]),
        tests(
            "ProgressBusBroker",
            ["ProgressBusBroker", "BrokerCore", "BusProtocol", "TaskTree", "ZeroMQ", logging]
        ),
        tests(
            "ProgressBusService",
            [
                "ProgressBusService", "ProgressBus", "ProgressBusBroker", lifecycle, lifecycleTests,
                logging,
            ]
        ),
        // What Tools/TestSupport/fuzz gives to libFuzzer.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TaskTree", "CellScreen", "DashboardCore", "BusProtocol", "BrokerCore",
                "ProgressBus", "OutputReading", "ProcessControl",
            ],
            path: "Tools/TestSupport/fuzzers/Targets",
            swiftSettings: settings
        ),
        tests("Fuzz", ["FuzzTargets"], exclude: ["Findings"]),
        tests(
            "EndToEnd",
            [
                "ProgressBus", "ProgressBusBroker", "ProgressBusFoundation", "BusProtocol",
                "ZeroMQ", "ProcessControl",
                "TaskTree", "DashboardCore", "ProgressBusCommand", "FleetBridge", "bus-worker",
                "bus-chaos",
                "bus-load",
                "hash-service", "survey-broker", "BrokerCore", protobuf,
            ]
        ),
        // What the system says about a process's memory, for what measures it.
        .target(
            name: "ProcessMemory",
            path: "Tools/Benchmarks/process-memory",
            swiftSettings: settings
        ),
        // A process that uses the library as a worker does.
        .executableTarget(
            name: "bus-worker",
            dependencies: ["ProgressBus", "BusProtocol", "ZeroMQ", "ProcessMemory"],
            path: "Tools/TestSupport/bus-worker",
            swiftSettings: settings
        ),
        // What Tools/Benchmarks/bench and Tools/Benchmarks/check-costs run, and what libzmq does without the bus, in C.
        .target(
            name: "RawZeroMQ",
            path: "Tools/Benchmarks/bus-bench/Raw",
            linkerSettings: [.linkedLibrary("zmq")]
        ),
        .executableTarget(
            name: "bus-bench",
            dependencies: ["ProgressBus", "BusProtocol", "ZeroMQ", "RawZeroMQ", "ProcessMemory"],
            path: "Tools/Benchmarks/bus-bench/Bench",
            swiftSettings: settings
        ),
        // A service that reports, and a program that is its own broker; examples that tests run.
        .executableTarget(
            name: "hash-service",
            dependencies: [
                "ProgressBus", "ProgressBusService", "Checksum", lifecycle, signals, logging,
            ],
            path: "Tools/Examples/hash-service",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "survey-broker",
            dependencies: [
                "ProgressBus", "ProgressBusBroker", "ProgressBusService", lifecycle, signals,
                logging,
            ],
            path: "Tools/Examples/survey-broker",
            swiftSettings: settings
        ),
        // Kills, stops and starves everything on a bus and compares it with the workers' ledgers.
        .executableTarget(
            name: "bus-chaos",
            dependencies: [
                "ProgressBus", "BusProtocol", "TaskTree", "ZeroMQ", "ProcessControl", "TestSupport",
            ],
            path: "Tools/TestSupport/bus-chaos",
            swiftSettings: settings
        ),
        // Plays the frames of very many sessions from a few processes.
        .executableTarget(
            name: "bus-load",
            dependencies: ["BusProtocol", "ZeroMQ"],
            path: "Tools/Benchmarks/bus-load",
            swiftSettings: settings
        ),
        // What the broker's core costs: time and memory, without sockets.
        .executableTarget(
            name: "broker-bench",
            dependencies: ["TaskTree", "BrokerCore", "BusProtocol", "ProcessMemory", arguments],
            path: "Tools/Benchmarks/broker-bench",
            swiftSettings: settings
        ),
        // Replays traces of progress through the estimator of time left.
        .executableTarget(
            name: "eta-replay",
            dependencies: ["TaskTree", "TimeLeft"],
            path: "Tools/Benchmarks/time-left/Replay",
            swiftSettings: settings
        ),
        // Simulates jobs with several workers and compares what is told of them with the truth.
        .executableTarget(
            name: "tree-times",
            dependencies: ["TaskTree", "TimeLeft", "TestSupport"],
            path: "Tools/Benchmarks/time-left/Trees",
            swiftSettings: settings
        ),
    ]
)

// The fuzzers need a build of their own, with every module instrumented; Tools/TestSupport/fuzz makes it.
if Context.environment["PROGRESSBUS_FUZZERS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzzers",
            dependencies: ["FuzzTargets"],
            path: "Tools/TestSupport/fuzzers/Entry",
            swiftSettings: settings
        )
    )
}
