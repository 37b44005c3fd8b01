/// Reads what a command prints and says how far it is.
///
/// A value without clock or descriptor: the caller gives it the bytes of both streams as they come,
/// in whatever pieces, and is told what is new. Of more than 64 KiB in one piece it looks at the
/// first and the last 16 KiB only, so that a command that prints 10 MB in a second costs next to
/// nothing; where bytes were left out, the lines that were cut are left out too.
package struct OutputReader: Sendable {
    private static let wholePiece = 65_536
    private static let lookedAt = 16_384

    private var adapter: (any OutputAdapter)?
    private var output = TerminalLines()
    private var error = TerminalLines()
    private var samples = KnownSamples()

    package init(adapter: any OutputAdapter) {
        self.adapter = adapter
    }

    /// Throws what is wrong with a name or a pattern.
    package init(choice: AdapterChoice) throws(AdapterError) {
        adapter = try choice.adapter()
    }

    /// Takes the next bytes of a stream.
    ///
    /// Gives the newest of every part, in the order in which parts came up; only what has changed.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        from stream: OutputStream
    ) -> [ProgressSample] {
        guard adapter != nil else { return [] }
        switch stream {
        case .output: Self.read(bytes, in: &output, with: &adapter, into: &samples)
        case .error: Self.read(bytes, in: &error, with: &adapter, into: &samples)
        }
        return samples.tell()
    }

    /// So much time has passed, in seconds since any fixed moment.
    ///
    /// Called after what was printed at one time, and while the reader awaits time: numbers that were
    /// printed at once are no progress, and what is at its end while the command goes on was not the
    /// command.
    package mutating func tick(at now: Double) -> [ProgressSample] {
        for sample in adapter?.tick(at: now) ?? [] { samples.take(sample) }
        return samples.tell()
    }

    /// Whether it has something to say when enough time passes.
    package var awaitsTime: Bool { adapter?.awaitsTime == true }

    /// Reads no more, and says nothing more.
    package mutating func stop() { adapter = nil }

    /// No more bytes come; lines that nothing has ended end here.
    package mutating func finish() -> [ProgressSample] {
        guard adapter != nil else { return [] }
        Self.finish(&output, with: &adapter, into: &samples)
        Self.finish(&error, with: &adapter, into: &samples)
        return samples.tell()
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer,
        in lines: inout TerminalLines,
        with adapter: inout (any OutputAdapter)?,
        into samples: inout KnownSamples
    ) {
        func take(_ line: OutputLine, _ marks: ByteMarks) {
            read(line, marks, with: &adapter, into: &samples)
        }
        if bytes.count <= wholePiece {
            lines.read(bytes, into: take)
        } else {
            lines.read(UnsafeRawBufferPointer(rebasing: bytes.prefix(lookedAt)), into: take)
            lines.skip()
            lines.read(UnsafeRawBufferPointer(rebasing: bytes.suffix(lookedAt)), into: take)
        }
        if let (line, marks) = lines.open() { take(line, marks) }
    }

    private static func finish(
        _ lines: inout TerminalLines,
        with adapter: inout (any OutputAdapter)?,
        into samples: inout KnownSamples
    ) {
        lines.finish { read($0, $1, with: &adapter, into: &samples) }
    }

    private static func read(
        _ line: OutputLine,
        _ marks: ByteMarks,
        with adapter: inout (any OutputAdapter)?,
        into samples: inout KnownSamples
    ) {
        guard adapter?.needs.isMet(by: marks) == true else { return }
        for sample in adapter?.read(line) ?? [] { samples.take(sample) }
    }
}
