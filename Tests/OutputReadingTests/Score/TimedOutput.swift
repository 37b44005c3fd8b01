import Foundation
@testable import OutputReading
import Testing

/// What a program prints, and when: recorded, or made by `MadeOutput`.
///
/// Made programs work at an even pace: the share of the time that has passed is how far one truly is.
/// A recorded one says the truth itself, where its pattern finds it. Where what a program prints is
/// no progress, every bar is a false one.
struct TimedOutput: Sendable, CustomTestStringConvertible {
    struct Piece: Sendable {
        var time: Double
        var text: String
    }

    var name: String
    var pieces: [Piece]
    /// When the program ends.
    var duration: Double
    /// Of a recording: how far it was, from which piece on.
    var truths: [(piece: Int, fraction: Double)] = []
    /// What it prints is no progress.
    var isAdversarial = false

    var testDescription: String { name }

    func saysNothing() -> TimedOutput {
        var output = self
        output.isAdversarial = true
        return output
    }

    /// A recording in the format of asciinema, see Recordings/README.md; the pattern finds the
    /// percentage that is the truth.
    static func recorded(_ name: String, truth: String? = nil) -> TimedOutput {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = folder.appending(path: "Recordings/\(name).cast")
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        let pieces = lines.dropFirst().compactMap { line -> Piece? in
            let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
            guard let event, event.count == 3, let time = event[0] as? Double,
                let text = event[2] as? String
            else { return nil }
            return Piece(time: time, text: text)
        }
        var output = TimedOutput(name: name, pieces: pieces, duration: pieces.last?.time ?? 0)
        guard let truth, let pattern = try? Regex<(Substring, Substring)>(truth) else {
            return output
        }
        for (number, piece) in pieces.enumerated() {
            guard let match = piece.text.matches(of: pattern).last, let percent = Double(match.1)
            else { continue }
            output.truths.append((number, percent / 100))
        }
        return output
    }
}

extension TimedOutput {
    /// What a viewer is shown, looked at twenty times a second.
    func score() throws -> ReadingScore {
        var reader = try OutputReader(choice: .automatic(CommandWords(["./job.sh"])))
        var shown = ShownBar()
        var (rest, truths) = (pieces[...], truths[...])
        var truth = 0.0
        var score = ReadingScore(name: name)
        for tick in 1...max(1, Int(duration * 20)) {
            let now = Double(tick) / 20
            while let piece = rest.first, piece.time <= now {
                shown.take(reader.read(piece.text))
                if let next = truths.first, next.piece == rest.startIndex {
                    truth = next.fraction
                    truths.removeFirst()
                }
                rest.removeFirst()
            }
            shown.take(reader.tick(at: now))
            let isTimed = self.truths.isEmpty
            score.note(
                shown.fraction,
                truth: isAdversarial ? nil : isTimed ? now / duration : truth
            )
        }
        return score
    }
}
