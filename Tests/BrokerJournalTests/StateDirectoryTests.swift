import Testing

@testable import BrokerJournal

@Suite struct StateDirectoryTests {
    /// What `printf ipc:///run/user/1000/progressbus | sha256sum` begins with.
    private let name = "37ccb3e79bd1ea46"

    @Test func anExplicitDirectoryWins() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            explicit: "/srv/state",
            environment: ["PROGRESSBUS_STATE": "/other", "HOME": "/home/a"]
        )
        #expect(path == "/srv/state/" + name)
    }

    @Test func theEnvironmentOverridesTheDefault() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            explicit: nil,
            environment: ["PROGRESSBUS_STATE": "/other", "XDG_STATE_HOME": "/xdg"]
        )
        #expect(path == "/other/" + name)
    }

    @Test func theDefaultIsTheUsersStateDirectory() {
        let path = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            explicit: nil,
            environment: ["HOME": "/home/a", "XDG_STATE_HOME": "relative", "PROGRESSBUS_STATE": ""]
        )
        #if os(macOS)
        #expect(path == "/home/a/Library/Application Support/progressbus/" + name)
        #else
        #expect(path == "/home/a/.local/state/progressbus/" + name)
        let chosen = StateDirectory.path(
            endpoint: "ipc:///run/user/1000/progressbus",
            explicit: nil,
            environment: ["HOME": "/home/a", "XDG_STATE_HOME": "/xdg"]
        )
        #expect(chosen == "/xdg/progressbus/" + name)
        #endif
    }

    @Test func aRelativeDirectoryIsMadeAbsolute() {
        let path = StateDirectory.path(endpoint: "e", explicit: "state", environment: [:])
        #expect(path.hasPrefix("/"))
        #expect(path.contains("/state/"))
    }
}
