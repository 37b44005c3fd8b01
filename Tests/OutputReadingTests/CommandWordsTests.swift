import OutputReading
import Testing

@Suite struct CommandWordsTests {
    @Test func theDirectoryOfTheProgramIsNoPartOfItsName() {
        let words = CommandWords(["/usr/bin/rsync", "--info=progress2", "a", "b"])
        #expect(words.program == "rsync")
        #expect(words.arguments == ["--info=progress2", "a", "b"])
        #expect(CommandWords([]).program.isEmpty)
    }
}
