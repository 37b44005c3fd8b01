import OutputReading
import Testing

@Suite struct CommandWordsTests {
    @Test func theDirectoryOfTheProgramIsNoPartOfItsName() {
        let words = CommandWords(["/usr/bin/rsync", "--info=progress2", "a", "b"])
        #expect(words.program == "rsync")
        #expect(words.arguments == ["--info=progress2", "a", "b"])
        #expect(CommandWords([]).program.isEmpty)
    }

    @Test("pv needs the foreground, or answers with -c; who reads keys, those; others nothing")
    func terminalNeeds() {
        let needs: [(String, TerminalRequirement)] = [
            ("pv file", .foreground), ("/usr/bin/pv -s 10 -L 2M", .foreground), ("pv", .foreground),
            ("pv -N c file", .foreground), ("pv -Nsource x", .foreground),
            ("pv -- -c", .foreground),
            ("pv -c file", .answers), ("pv -petcN x", .answers), ("pv --cursor", .answers),
            ("less", .answers), ("/usr/bin/vim -", .answers),
            ("sudo pv file", .nothing), ("sh -c pv", .nothing), ("curl -o o u", .nothing),
        ]
        for (line, need) in needs {
            let words = line.split(separator: " ").map(String.init)
            #expect(TerminalRequirement(of: CommandWords(words)) == need, "\(line)")
        }
    }
}
