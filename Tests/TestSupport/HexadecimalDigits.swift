extension Array<UInt8> {
    /// Reads hexadecimal digits, two for each byte; whatever stands between them is left out.
    public init(hex: some StringProtocol) {
        let digits: [Int] = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { (at: Int) -> UInt8 in
            UInt8(digits[at] * 16 + digits[at + 1])
        }
    }
}
