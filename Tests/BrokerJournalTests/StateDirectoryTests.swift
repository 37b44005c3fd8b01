import Foundation
import Testing

@testable import BrokerJournal

@Suite struct StateDirectoryTests {
    /// What `printf ipc:///run/user/1000/progressbus | sha256sum` begins with.
    private let name = "37ccb3e79bd1ea46"
    /// What `printf 'ipc:///run/user/1000/progressbus render-1' | sha256sum` begins with.
    private let nameOnHost = "a5b80f680eadb512"

    @Test func anExplicitDirectoryWins() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            host: "render-1",
            explicit: "/srv/state",
            environment: ["PROGRESSBUS_STATE": "/other", "HOME": "/home/a"]
        )
        #expect(path == "/srv/state/" + name)
    }

    @Test func theEnvironmentOverridesTheDefault() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            host: "render-1",
            explicit: nil,
            environment: ["PROGRESSBUS_STATE": "/other", "XDG_STATE_HOME": "/xdg"]
        )
        #expect(path == "/other/" + name)
    }

    @Test func theDefaultIsTheUsersStateDirectory() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            host: "render-1",
            explicit: nil,
            environment: ["HOME": "/home/a", "XDG_STATE_HOME": "relative", "PROGRESSBUS_STATE": ""]
        )
        #if os(macOS)
        #expect(path == "/home/a/Library/Application Support/progressbus/" + name)
        #else
        #expect(path == "/home/a/.local/state/progressbus/" + nameOnHost)
        let chosen = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            host: "render-1",
            explicit: nil,
            environment: ["HOME": "/home/a", "XDG_STATE_HOME": "/xdg"]
        )
        #expect(chosen == "/xdg/progressbus/" + nameOnHost)
        #endif
    }

    #if !os(macOS)
    @Test("hosts that share a home: a directory each, but where a person has chosen one")
    func sharedHome() {
        func path(on host: String, explicit: String?) -> String {
            StateDirectory.path(
                endpoint: "ipc:///tmp/progressbus-1000",
                host: host,
                explicit: explicit,
                environment: ["HOME": "/home/a"]
            )
        }
        #expect(path(on: "render-1", explicit: nil) != path(on: "render-2", explicit: nil))
        #expect(path(on: "render-1", explicit: "/srv") == path(on: "render-2", explicit: "/srv"))
    }
    #endif

    @Test func aRelativeDirectoryIsMadeAbsolute() {
        let path = StateDirectory.path(
            endpoint: "e",
            host: "h",
            explicit: "state",
            environment: [:]
        )
        #expect(path.hasPrefix("/"))
        #expect(path.contains("/state/"))
    }

    @Test("made: this user's alone, whatever the umask, and found again")
    func isPrivate() throws {
        let directory = TemporaryDirectory()
        let former = umask(0)
        defer { umask(former) }
        try StateDirectory.make(directory.path + "/a/b")
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/a/b")
        #expect(mode[.posixPermissions] as? Int == 0o700)
        try StateDirectory.make(directory.path + "/a/b")
    }

    @Test("open to others: refused, with what to do", arguments: [0o777, 0o755, 0o710, 0o702])
    func openToOthers(mode: Int) throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "file")
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: directory.path
        )
        let error = #expect(throws: JournalError.self) { try StateDirectory.make(directory.path) }
        #expect(error?.sentence.contains("chmod 700 \(directory.path)") == true)
        #expect(throws: JournalError.self) { _ = try Journal(directory: directory.path) }
        #expect(directory.names == ["file"], "nothing was written")
    }

    @Test("a symbolic link or a file instead of a directory: refused, with what to do")
    func noDirectory() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "target/file")
        try directory.write([1], to: "plain")
        let link = directory.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: directory.path + "/target"
        )
        let error = #expect(throws: JournalError.self) { try StateDirectory.make(link) }
        #expect(error?.sentence.contains("symbolic link") == true)
        #expect(throws: JournalError.self) {
            try StateDirectory.make(directory.path + "/plain")
        }
    }

    @Test("of another user, the directory or a file in it: refused", .enabled(if: geteuid() == 0))
    func foreign() throws {
        for name in ["", "/journal.sqlite", "/journal.sqlite-wal"] {
            let directory = TemporaryDirectory()
            try directory.write([], to: "journal.sqlite")
            try directory.write([], to: "journal.sqlite-wal")
            try #require(lchown(directory.path + name, 65_534, 65_534) == 0)
            let error = #expect(throws: JournalError.self) {
                _ = try Journal(directory: directory.path)
            }
            #expect(error?.sentence.contains("belongs to user 65534") == true)
        }
    }

    @Test(
        "the journal's name is a link that somebody else made: refused",
        .enabled(if: geteuid() == 0)
    )
    func foreignLink() throws {
        let directory = TemporaryDirectory()
        try directory.write([], to: "elsewhere")
        let link = directory.path + "/journal.sqlite"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: directory.path + "/elsewhere"
        )
        try #require(lchown(link, 65_534, 65_534) == 0)
        #expect(throws: JournalError.self) { _ = try Journal(directory: directory.path) }
    }
}
