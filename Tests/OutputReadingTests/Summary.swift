@testable import OutputReading

/// What a reader of samples knows after all of them.
struct Summary: Equatable {
    private(set) var parts: [String?: ProgressSample] = [:]
    private var order: [String?] = []

    /// How far each part was after each of its samples, in its newest unit: completed and total.
    private(set) var ways: [String?: [(completed: Int64, total: Int64?)]] = [:]

    mutating func add(_ samples: [ProgressSample]) {
        for sample in samples {
            let name = sample.part
            if parts[name] == nil { order.append(name) }
            var part = parts[name] ?? ProgressSample(part: name)
            if sample.isUnknown {
                (part.completed, part.total, part.unit) = (nil, nil, nil)
                ways[name] = []
            }
            if let unit = sample.unit, part.unit != unit {
                part.unit = unit
                ways[name] = []
            }
            part.completed = sample.completed ?? part.completed
            if let total = sample.total {
                part.total = total
                part.totalIsEstimate = sample.totalIsEstimate
            }
            part.detail = sample.detail ?? part.detail
            part.expectedParts = sample.expectedParts ?? part.expectedParts
            part.isDone = sample.isDone || part.isDone
            parts[name] = part
            if let completed = part.completed {
                ways[name, default: []].append((completed, part.total))
            }
        }
    }

    /// `part: 12/345 files, done`, in the order in which they came up; the command is `-`.
    var lines: [String] {
        order.compactMap { name in
            guard let part = parts[name] else { return nil }
            var line = "\(name ?? "-"):"
            if let completed = part.completed { line += " \(completed)" }
            if let total = part.total { line += "/\(part.totalIsEstimate ? "~" : "")\(total)" }
            if let unit = part.unit { line += " \(unit)" }
            if let parts = part.expectedParts { line += ", \(parts) parts" }
            if part.isDone { line += ", done" }
            return line
        }
    }

    static func == (left: Summary, right: Summary) -> Bool {
        left.parts == right.parts && left.order == right.order
    }
}

extension OutputReader {
    mutating func read(
        _ bytes: some Collection<UInt8>,
        from stream: OutputStream = .output
    )
        -> [ProgressSample]
    {
        Array(bytes).withUnsafeBytes { read($0, from: stream) }
    }

    mutating func read(_ text: String, from stream: OutputStream = .output) -> [ProgressSample] {
        read(Array(text.utf8), from: stream)
    }
}

extension AdapterChoice {
    static func forced(_ name: String) -> AdapterChoice { .forced(name, for: CommandWords([])) }
}
