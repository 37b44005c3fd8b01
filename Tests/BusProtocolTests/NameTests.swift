import BusProtocol
import TaskTree
import Testing

@Suite struct NameTests {
    @Test func aShortTextIsLeftAlone() {
        #expect("naïve".limited(toUTF8: 6) == "naïve")
        #expect("".limited(toUTF8: 0) == "")
    }

    @Test(
        arguments: [
            ("naïve", 5, "naïv"), ("naïve", 3, "na"), ("naïve", 4, "naï"), ("日本", 5, "日"),
            ("a👩‍👩‍👧‍👦b", 20, "a"), ("ae\u{301}", 2, "a"), ("abc", 0, ""), ("\r\nx", 2, "\r\n"),
        ]
    )
    func aLongTextIsCutBetweenCharacters(text: String, limit: Int, expected: String) {
        #expect(text.limited(toUTF8: limit) == expected)
    }

    @Test func aCharacterLongerThanTheLimitIsCutBetweenScalars() {
        let zalgo = "e" + String(repeating: "\u{301}", count: 100)
        let cut = zalgo.limited(toUTF8: 10)
        #expect(cut.utf8.count == 9)
        #expect(cut.unicodeScalars.first == "e")
    }

    @Test func aCredentialHasSixteenBytes() {
        #expect(SessionCredential([UInt8](repeating: 1, count: 16))?.bytes.count == 16)
        #expect(SessionCredential([UInt8](repeating: 1, count: 15)) == nil)
        #expect(SessionCredential([]) == nil)
        #expect(SessionCredential.random() != SessionCredential.random())
        #expect(SessionID.random() != SessionID.random())
    }
}
