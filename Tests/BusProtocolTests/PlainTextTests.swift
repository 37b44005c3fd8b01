import BusProtocol
import Testing

@Suite("Plain text")
struct PlainTextTests {
    @Test("a text of any length, and one that is too long")
    func strings() {
        #expect("".isPlain(within: 0))
        #expect("a~ z".isPlain(within: 4))
        #expect(!"a~ z".isPlain(within: 3))
        #expect("a longer text than fits beside its length".isPlain())
        #expect(!"a longer text than fits beside its length, é".isPlain())
        for byte in UInt8.min...0x7f {
            let text = "a" + String(UnicodeScalar(byte)) + "b"
            #expect(text.isPlain() == (0x20...0x7e).contains(byte), "\(byte)")
        }
    }
}
