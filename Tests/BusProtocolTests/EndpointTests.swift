import Foundation
import Testing

@testable import BusProtocol

@Suite struct EndpointTests {
    @Test func anIPCEndpointHasThreeSocketsAndALock() throws {
        let endpoint = try BusEndpoint(parsing: "ipc:///run/bus//")
        #expect(endpoint.kind == .ipc(directory: "/run/bus"))
        #expect(endpoint.controlAddress == "ipc:///run/bus/control")
        #expect(endpoint.reportsAddress == "ipc:///run/bus/reports")
        #expect(endpoint.updatesAddress == "ipc:///run/bus/updates")
        #expect(endpoint.lockPath == "/run/bus/lock")
        #expect(endpoint.isLoopback)
        #expect("\(endpoint)" == "ipc:///run/bus")
    }

    @Test func aTCPEndpointHasThreePorts() throws {
        let endpoint = try BusEndpoint(parsing: "tcp://127.0.0.1:7000")
        #expect(endpoint.controlAddress == "tcp://127.0.0.1:7000")
        #expect(endpoint.updatesAddress == "tcp://127.0.0.1:7001")
        #expect(endpoint.reportsAddress == "tcp://127.0.0.1:7002")
        #expect(endpoint.lockPath == nil)
        try endpoint.checkDirectory()
    }

    @Test(
        arguments: [
            ("tcp://127.0.0.1:1", true), ("tcp://127.255.0.9:65533", true),
            ("tcp://[::1]:70", true),
            ("tcp://localhost:70", true), ("tcp://LOCALHOST:70", true), ("tcp://0.0.0.0:70", false),
            ("tcp://*:70", false), ("tcp://127.evil.example:70", false),
            ("tcp://127.0.0.1.2:70", false),
            ("tcp://[fe80::1%eth0]:70", false), ("tcp://build_host-1:70", false),
        ]
    )
    func onlyThisMachinesAddressesAreLoopback(text: String, isLoopback: Bool) throws {
        #expect(try BusEndpoint(parsing: text).isLoopback == isLoopback)
    }

    @Test func localhostBecomesAnAddress() throws {
        #expect("\(try BusEndpoint(parsing: "tcp://localhost:70"))" == "tcp://127.0.0.1:70")
    }

    @Test(arguments: [
        "", "ipc://", "ipc:///", "ipc://relative/dir", "ipc:///a\0b", "/run/bus", "inproc://x",
        "tcp://", "tcp://host", "tcp://host:", "tcp://host:0", "tcp://host:65534", "tcp://host:+70",
        "tcp://host:7o", "tcp://:70", "tcp://ho st:70", "tcp://::1:70", "tcp://[]:70",
        "tcp://[::1:70", "tcp://a;b:70", "tcp://host:99999999999999999999", "TCP://host:70", "-bus",
        "bus/x", "a bus",
    ])
    func otherTextIsRefusedInWords(text: String) {
        let error = #expect(throws: EndpointError.self) { try BusEndpoint(parsing: text) }
        #expect(error?.reason == .syntax)
        #expect(error?.sentence.contains("ipc:///directory, tcp://host:port, or the name") == true)
    }

    @Test func aPathThatFitsNoSocketAddressIsRefused() throws {
        let fitting = "ipc:///" + String(repeating: "x", count: 94)
        #expect(try BusEndpoint(parsing: fitting).controlAddress.utf8.count == 6 + 103)
        let error = #expect(throws: EndpointError.self) { try BusEndpoint(parsing: fitting + "x") }
        #expect(error?.reason == .pathTooLong)
        #expect(error?.sentence.contains("104 bytes") == true)
    }

    @Test func whatIsGivenComesBeforeTheVariableAndThatBeforeTheDefault() throws {
        let environment = ["PROGRESSBUS_ENDPOINT": "ipc:///from/environment"]
        let given = try BusEndpoint.resolve(explicit: "tcp://[::1]:70", environment: environment)
        #expect("\(given.endpoint)" == "tcp://[::1]:70")
        let variable = try BusEndpoint.resolve(explicit: nil, environment: environment)
        #expect("\(variable.endpoint)" == "ipc:///from/environment")
        #expect(variable.origin.contains("PROGRESSBUS_ENDPOINT"))
        let none = try BusEndpoint.resolve(
            explicit: nil,
            environment: ["PROGRESSBUS_ENDPOINT": ""]
        )
        #expect("\(none.endpoint)".contains("progressbus"))
        #expect(none.origin.contains("default"))
        #expect(throws: EndpointError.self) {
            try BusEndpoint.resolve(explicit: "", environment: environment)
        }
    }

    @Test func theDefaultIsTheSameWithAndWithoutARuntimeDirectory() throws {
        let cron = try BusEndpoint.resolve(explicit: nil, environment: [:])
        let shell = try BusEndpoint.resolve(
            explicit: nil,
            environment: ["XDG_RUNTIME_DIR": "/run/user/1000"]
        )
        #expect("\(cron.endpoint)" == "\(shell.endpoint)")
        #expect("\(cron.endpoint)".hasSuffix("/progressbus-\(getuid())"))
    }
}

/// In a directory of its own below the system's temporary one.
@Suite struct EndpointDirectoryTests {
    private let base: String

    init() throws {
        var template = Array("/tmp/pb-proto-XXXXXX".utf8CString)
        base = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    private func cleaningUp(_ body: () throws -> Void) rethrows {
        defer { try? FileManager.default.removeItem(atPath: base) }
        try body()
    }

    private func check(_ directory: String) -> EndpointError.Reason? {
        do {
            try BusEndpoint(directory: directory).checkDirectory()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func aDirectoryIsMadeForItsUserOnly() throws {
        try cleaningUp {
            let endpoint = try BusEndpoint(directory: base + "/bus")
            #expect(check(base + "/bus") == .missing)
            try endpoint.createDirectory()
            try endpoint.createDirectory()
            #expect(check(base + "/bus") == nil)
        }
    }

    @Test func aDirectoryThatOthersMayEnterIsRefused() throws {
        try cleaningUp {
            let endpoint = try BusEndpoint(directory: base + "/bus")
            try endpoint.createDirectory()
            chmod(base + "/bus", 0o755)
            let error = #expect(throws: EndpointError.self) { try endpoint.createDirectory() }
            #expect(error?.reason == .open)
            #expect(error?.sentence.contains("0755") == true)
        }
    }

    @Test func aSymbolicLinkOrAFileIsRefused() throws {
        try cleaningUp {
            symlink(base, base + "/link")
            #expect(check(base + "/link") == .notADirectory)
            try Data().write(to: URL(filePath: base + "/file"))
            #expect(check(base + "/file") == .notADirectory)
            #expect(check(base + "/file/below") == .system)
        }
    }

    @Test func aDirectoryOfAnotherUserIsRefused() {
        cleaningUp {
            // Ours if we are root and somebody else's if not: never both a 0700 and foreign one.
            let expected: EndpointError.Reason = getuid() == 0 ? .open : .foreign
            #expect(check("/usr") == expected)
        }
    }

    @Test func aDirectoryThatCannotBeMadeIsSaidInWords() throws {
        try cleaningUp {
            let endpoint = try BusEndpoint(directory: base + "/none/bus")
            let error = #expect(throws: EndpointError.self) { try endpoint.createDirectory() }
            #expect(error?.reason == .system)
            #expect(error?.sentence.hasSuffix(".") == true)
        }
    }
}
