/// Reads what a command prints, and tells how far the command is.
///
/// A value without clock or descriptor: the caller gives it the bytes of both streams as they come,
/// in whatever pieces, and gets the news. Of more than 64 KiB in one piece it looks at the first
/// and the last 16 KiB only, so that a command that prints 10 MB in a second costs next to nothing;
/// where bytes were left out, the lines that were cut are left out too.
package struct OutputReader: Sendable {
    private static let wholePiece = 65_536
    private static let lookedAt = 16_384

    /// The adapter for both streams, and the samples it has found.
    private struct Findings {
        var adapter: (any OutputAdapter)?
        var samples = KnownSamples()

        mutating func take(_ line: OutputLine) {
            guard adapter?.readsWords == true || line.bytes.contains(where: Byte.isDigit) else {
                return
            }
            for sample in adapter?.read(line) ?? [] { samples.take(sample) }
        }
    }

    private var findings: Findings
    private var output = TerminalLines()
    private var error = TerminalLines()

    /// Creates a reader, and throws what is wrong with the name or pattern of an adapter.
    package init(choice: AdapterChoice) throws(AdapterError) {
        findings = Findings(adapter: try choice.adapter())
    }

    /// Takes the next bytes of a stream; the next tick returns their news.
    package mutating func take(_ bytes: UnsafeRawBufferPointer, from stream: OutputStream) {
        guard findings.adapter != nil else { return }
        switch stream {
        case .output: Self.read(bytes, in: &output, into: &findings)
        case .error: Self.read(bytes, in: &error, into: &findings)
        }
    }

    /// Takes the next bytes of a stream, and returns their news at once.
    ///
    /// The news are the changed values of every part, in the order in which the changes came up.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        from stream: OutputStream
    ) -> [ProgressSample] {
        take(bytes, from: stream)
        return findings.samples.tell()
    }

    /// Takes the time in seconds since any fixed moment, and returns the news.
    ///
    /// Call it after the output of one moment, and while the reader awaits time: numbers that were
    /// printed at the same moment are no progress, and a number that stays at its end while the
    /// command goes on was not that of the whole command.
    package mutating func tick(at now: Double) -> [ProgressSample] {
        for sample in findings.adapter?.tick(at: now) ?? [] { findings.samples.take(sample) }
        return findings.samples.tell()
    }

    /// Whether the passing of time alone may bring news.
    package var awaitsTime: Bool { findings.adapter?.awaitsTime == true }

    /// Stops reading and reporting.
    package mutating func stop() { findings = Findings() }

    /// Ends the open lines of both streams, as no more bytes come, and returns the news.
    package mutating func finish() -> [ProgressSample] {
        guard findings.adapter != nil else { return [] }
        Self.finish(&output, into: &findings)
        Self.finish(&error, into: &findings)
        return findings.samples.tell()
    }

    // Static, as lines and findings are changed at the same time.

    private static func read(
        _ bytes: UnsafeRawBufferPointer,
        in lines: inout TerminalLines,
        into findings: inout Findings
    ) {
        if bytes.count <= wholePiece {
            lines.read(bytes) { findings.take($0) }
        } else {
            let (first, last) = (bytes.prefix(lookedAt), bytes.suffix(lookedAt))
            lines.read(UnsafeRawBufferPointer(rebasing: first)) { findings.take($0) }
            lines.skip()
            lines.read(UnsafeRawBufferPointer(rebasing: last)) { findings.take($0) }
        }
        if let line = lines.open() { findings.take(line) }
    }

    private static func finish(_ lines: inout TerminalLines, into findings: inout Findings) {
        lines.finish { findings.take($0) }
    }
}

/// Which of a program's two streams bytes came from; each has its own lines.
package enum OutputStream: Hashable, Sendable {
    /// Standard output, or a terminal, which takes both.
    case output
    case error
}
