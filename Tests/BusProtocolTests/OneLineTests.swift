import BusProtocol
import Testing

@Suite struct OneLineTests {
    @Test(
        arguments: [
            ("Encode", "Encode"),
            ("two\nlines\r\n", "two lines  "),
            ("\u{1B}[2Jgone", " [2Jgone"),
            ("nul\0byte", "nul byte"),
            ("c1 \u{9B}31m", "c1  31m"),
            ("paragraph\u{2029}separator", "paragraph separator"),
            ("日本語 – “quoted” 👩‍👩‍👧 é", "日本語 – “quoted” 👩‍👩‍👧 é"),
        ]
    )
    func controlCharactersBecomeSpacesAndNothingElseChanges(text: String, shown: String) {
        #expect(text.oneLine == shown)
    }
}
