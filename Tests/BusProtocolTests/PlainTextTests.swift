import BusProtocol
import TestSupport
import Testing

@Suite("Plain text")
struct PlainTextTests {
    private func isPlainByteByByte(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 <= 0x7e }
    }

    @Test("each byte, at each place of texts of up to 40 bytes, alone and beside another")
    func everywhere() {
        for count in 1...40 {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x20, count: count)
                    bytes[place] = byte
                    bytes[count - 1 - place] ^= 0x5e
                    let isPlain = bytes.withUnsafeBytes { PlainText.isAll($0) }
                    guard isPlain != isPlainByteByByte(bytes) else { continue }
                    Issue.record("\(bytes)")
                    return
                }
            }
        }
    }

    @Test("random bytes")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        for round in 0..<50_000 {
            let count = Int.random(in: 0...24, using: &random)
            let highest = UInt8.random(in: 0x60...0xff, using: &random)
            let lowest = UInt8.random(in: 0x00...0x22, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: lowest...highest, using: &random) }
            let isPlain = bytes.withUnsafeBytes { PlainText.isAll($0) }
            #expect(isPlain == isPlainByteByByte(bytes), "seed \(seed), round \(round): \(bytes)")
        }
    }

    @Test("a text of any length, and one that is too long")
    func strings() {
        #expect("".isPlain(within: 0))
        #expect("a~ z".isPlain(within: 4))
        #expect(!"a~ z".isPlain(within: 3))
        #expect("a longer text than fits beside its length".isPlain())
        #expect(!"a longer text than fits beside its length, é".isPlain())
    }
}
