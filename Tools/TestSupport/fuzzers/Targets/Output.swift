import OutputReading

/// What any program prints, in two pieces and by both streams, for every adapter.
enum Output {
    static func play(_ input: [UInt8]) {
        // The first byte says who reads.
        let names = AdapterChoice.names
        let number = Int(input.first ?? 0)
        let bytes = input.dropFirst()
        let choices: [AdapterChoice] = [
            .automatic(CommandWords(["x"])),
            .forced(names[number % names.count], for: CommandWords([])),
            .pattern("{percent}" + String(decoding: bytes.prefix(40), as: UTF8.self)),
        ]
        for choice in choices {
            do throws(AdapterError) {
                var reader = try OutputReader(choice: choice)
                let middle = bytes.startIndex + bytes.count / 2
                var now = 0.0
                // A line at a time, as time must pass between numbers.
                for line in bytes[..<middle].split(
                    separator: 0x0a,
                    omittingEmptySubsequences: false
                ) {
                    check((Array(line) + [0x0a]).withUnsafeBytes { reader.read($0, from: .output) })
                    now += 0.5
                    check(reader.tick(at: now))
                }
                check(
                    Array(bytes[middle...]).withUnsafeBytes { reader.read($0, from: .error) }
                        + reader.finish()
                )
            } catch {
                promise(!error.description.isEmpty, "a refusal without words")
            }
        }
    }

    private static func check(_ samples: [ProgressSample]) {
        for sample in samples {
            promise(sample.completed ?? 0 >= 0, "done: \(sample)")
            promise(sample.total ?? 1 > 0, "in all: \(sample)")
            promise(sample.part?.isEmpty != true, "a part without a name")
            promise(sample.part != nil || !sample.isDone, "the command's end")
            for text in [sample.part, sample.detail, sample.unit] {
                promise(text?.utf8.count ?? 0 <= 1_000, "a text of \(text?.utf8.count ?? 0) bytes")
            }
        }
    }
}
