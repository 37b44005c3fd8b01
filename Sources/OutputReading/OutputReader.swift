/// Reads what a command prints and says how far it is.
///
/// A value without clock or descriptor: the caller gives it the bytes of both streams as they come,
/// in whatever pieces, and is told what is new. Of more than 64 KiB in one piece it looks at the
/// first and the last 16 KiB only, so that a command that prints 10 MB in a second costs next to
/// nothing; where bytes were left out, the lines that were cut are left out too.
package struct OutputReader: Sendable {
    private static let wholePiece = 65_536
    private static let lookedAt = 16_384

    /// What lines of both streams come to.
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

    /// Throws what is wrong with a name or a pattern.
    package init(choice: AdapterChoice) throws(AdapterError) {
        findings = Findings(adapter: try choice.adapter())
    }

    /// Takes the next bytes of a stream; what they say is told at the next tick.
    package mutating func take(_ bytes: UnsafeRawBufferPointer, from stream: OutputStream) {
        guard findings.adapter != nil else { return }
        switch stream {
        case .output: Self.read(bytes, in: &output, into: &findings)
        case .error: Self.read(bytes, in: &error, into: &findings)
        }
    }

    /// Takes the next bytes of a stream, and tells at once.
    ///
    /// Gives the newest of every part, in the order in which parts came up; only what has changed.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        from stream: OutputStream
    ) -> [ProgressSample] {
        take(bytes, from: stream)
        return findings.samples.tell()
    }

    /// So much time has passed, in seconds since any fixed moment.
    ///
    /// Called after what was printed at one time, and while the reader awaits time: numbers that were
    /// printed at once are no progress, and what is at its end while the command goes on was not the
    /// command.
    package mutating func tick(at now: Double) -> [ProgressSample] {
        for sample in findings.adapter?.tick(at: now) ?? [] { findings.samples.take(sample) }
        return findings.samples.tell()
    }

    /// Whether it has something to say when enough time passes.
    package var awaitsTime: Bool { findings.adapter?.awaitsTime == true }

    /// Reads no more, and says nothing more.
    package mutating func stop() { findings = Findings() }

    /// No more bytes come; lines that nothing has ended end here.
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
