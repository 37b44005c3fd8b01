@testable import OutputReading
import Testing

@Suite struct AdapterChoiceTests {
    private static func name(_ command: String) throws -> String? {
        let words = CommandWords(command.split(separator: " ").map(String.init))
        return try AdapterChoice.automatic(words).adapter().map { type(of: $0).name }
    }

    @Test(
        "what runs another command is looked through",
        arguments: [
            ("git clone x", "git"), ("/usr/bin/git fetch", "git"), ("env A=1 B=2 git fetch", "git"),
            ("nice -n 10 ninja", "ninja"), ("nice -10 ninja", "ninja"), ("time -p make", "make"),
            ("sudo -u root -E apt-get install x", "apt"), ("stdbuf -oL rsync -P a b", "rsync"),
            ("nohup curl x", "curl"), ("python3 -m pip install x", "pip"),
            ("timeout -k 5 60 wget x", "wget"), ("sudo nice -n 3 env X=1 xz -v a", "xz"),
            ("python3 -u -m pip install x", "pip"), ("cmake --build b", "make"),
            ("sudo -- dd if=a", "dd"), ("swift build", "swift"),
            // A script may be anything, and so may a program that has no name.
            ("sh -c git", "automatic"), ("bash build.sh", "automatic"),
            ("python3 a.py", "automatic"),
            ("swift script.swift", "automatic"), ("sudo", "automatic"), ("env A=1", "automatic"),
            ("pipx install x", "automatic"), ("nice nice nice", "automatic"), ("", "automatic"),
        ]
    )
    func unwrapping(command: String, adapter: String) throws {
        #expect(try Self.name(command) == adapter)
    }

    @Test func everyNameCanBeForced() throws {
        for name in AdapterChoice.names {
            let adapter = try AdapterChoice.forced(name).adapter()
            #expect(adapter.map { type(of: $0).name } == name)
        }
        #expect(Set(AdapterChoice.names).count == AdapterChoice.names.count)
    }

    @Test func anUnknownNameIsAnsweredWithAllNames() {
        let error = #expect(throws: AdapterError.self) {
            try OutputReader(choice: .forced("gti"))
        }
        #expect(error?.description.contains("no adapter gti") == true)
        #expect(error?.description.contains("git, curl") == true)
    }

    @Test func noAdapterFindsNothing() throws {
        var reader = try OutputReader(choice: .none)
        #expect(reader.read("[1/3] a\n[2/3] b\n").isEmpty)
        #expect(reader.finish().isEmpty)
    }
}
