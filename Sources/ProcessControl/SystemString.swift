/// Text of the system: bytes without a NUL, which need not be UTF-8.
package struct SystemString: Hashable, Sendable, ExpressibleByStringLiteral {
    package var bytes: [UInt8]

    /// The bytes; those from the first NUL on are left out.
    package init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.prefix { $0 != 0 })
    }

    package init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    package init(copying pointer: UnsafePointer<CChar>) {
        bytes = [UInt8](UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    /// The text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { buffer in
            // Never empty: there is the NUL.
            guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return body("") }
            return body(start)
        }
    }
}

/// Variables for a process, as they are in memory.
package struct EnvironmentBlock: Hashable, Sendable {
    /// `NAME=value` each.
    package private(set) var entries: [SystemString]

    package init(entries: [SystemString] = []) {
        self.entries = entries
    }

    /// Sets a variable in place of any of that name; nil removes it.
    package mutating func set(_ name: String, to value: SystemString?) {
        let prefix = Array((name + "=").utf8)
        entries.removeAll { $0.bytes.starts(with: prefix) }
        if let value { entries.append(SystemString(bytes: prefix + value.bytes)) }
    }

    package func value(of name: String) -> SystemString? {
        let prefix = Array((name + "=").utf8)
        let entry = entries.first { $0.bytes.starts(with: prefix) }
        return entry.map { SystemString(bytes: $0.bytes.dropFirst(prefix.count)) }
    }
}
