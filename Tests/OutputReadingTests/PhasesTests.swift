@testable import OutputReading
import Testing

/// Whose number is the command's, and what becomes of it when it was not.
@Suite struct PhasesTests {
    /// Each line is drawn over at a time of its own; `~` is a second without output.
    private static func read(_ lines: [String]) throws -> [String] {
        var reader = try OutputReader(choice: .automatic(CommandWords(["./job.sh"])))
        var summary = Summary()
        var now = 0.0
        for line in lines {
            if line != "~" { summary.add(reader.read("\r" + line)) }
            now += line == "~" ? 1 : 0.05
            summary.add(reader.tick(at: now))
        }
        summary.add(reader.finish())
        return summary.lines
    }

    private static func rising(_ label: String, to end: Int = 100) -> [String] {
        stride(from: 0, through: end, by: 10).map { "\(label)\($0)%" }
    }

    @Test func whatIsDrawnOverOnceASecondIsKnownFromItsSecondLine() throws {
        let first = "[#2089b0 0B/33.2MiB(0%) CN:1 DL:0B]"
        let second = "[#2089b0 400KiB/33.2MiB(1%) CN:1 DL:115KiB ETA:4m51s]"
        #expect(try Self.read([first]) == [])
        #expect(try Self.read([first, second]) == ["-: 100/10000 percent"])
        #expect(
            try Self.read(["a.tar   0%    0", "a.tar  12%   12MB"]) == ["-: 1200/10000 percent"]
        )
    }

    @Test func aNumberAtItsEndGivesWayToTheNextOneAndBothAreParts() throws {
        #expect(
            try Self.read(Self.rising("Loading: ") + Self.rising("Processing: ", to: 30))
                == [
                    "-:", "Loading: 10000/10000 percent, done",
                    "Processing: 3000/10000 percent",
                ]
        )
    }

    @Test func aNumberThatIsSilentWhileAnotherRisesGivesWay() throws {
        #expect(
            try Self.read(Self.rising("Scanning ", to: 40) + Self.rising("Copying ", to: 20))
                == ["-:", "Scanning: 4000/10000 percent", "Copying: 2000/10000 percent"]
        )
    }

    @Test func aNumberThatGoesOnStaysTheCommands() throws {
        let both = (0...5).flatMap { ["all \($0 * 10)%", "sound \($0 * 20)%"] }
        #expect(try Self.read(both) == ["-: 5000/10000 percent"])
    }

    @Test func whatBeginsAgainIsDoneSeveralTimes() throws {
        #expect(
            try Self.read(Self.rising("Writing ") + Self.rising("Writing ", to: 20))
                == [
                    "-:", "Writing: 10000/10000 percent, done",
                    "Writing (2): 2000/10000 percent",
                ]
        )
    }

    @Test func whatIsAtItsEndWhileTheCommandGoesOnWasNotTheCommand() throws {
        let lines = Self.rising("Unpacking ")
        #expect(try Self.read(lines) == ["-: 10000/10000 percent"])
        #expect(
            try Self.read(lines + ["~", "~"]) == ["-:", "Unpacking: 10000/10000 percent, done"]
        )
        #expect(
            try Self.read(Self.rising("Unpacking ", to: 90) + ["~", "~"]) == [
                "-: 9000/10000 percent"
            ]
        )
    }

    @Test func whatFallsWasNoProgress() throws {
        #expect(try Self.read(["x 3%", "x 10%", "x 40%", "x 30%", "x 50%", "x 60%"]) == ["-:"])
    }

    @Test func aRecognizedProgramClearsTheGuess() throws {
        #expect(
            try Self.read(Self.rising("at ", to: 50) + ["Receiving objects:  50% (10/20)"])
                == ["-:", "Receiving objects: 10/20 objects"]
        )
    }

    @Test func stepsAndHowFarEachIsAreOnePercentage() throws {
        let passes = (1...3).flatMap { Self.rising("Pass \($0)/3: ", to: $0 == 3 ? 50 : 100) }
        #expect(try Self.read(passes) == ["-: 8333/10000 percent"])
        let epochs = (1...2).flatMap { epoch in
            ["Epoch \(epoch)/4"] + (1...10).map { "\($0 * 10)/100 [===] - acc: 0.9" }
        }
        #expect(try Self.read(epochs) == ["-: 5000/10000 percent"])
        // What is counted from nought is done, not begun.
        let files = (0...2).flatMap { Self.rising("File \($0)/4 ", to: 80) }
        #expect(try Self.read(files) == ["-: 7000/10000 percent"])
    }

    @Test func aCountOfAllMayTurnOutToBeOneOfSteps() throws {
        let lines = ["at 1/40", "at 2/40", "at 2/40, 10%", "at 2/40, 30%", "at 2/40, 50%"]
        #expect(try Self.read(lines) == ["-: 375/10000 percent"])
        // Two numbers that are rounded in their own ways.
        let rounded = (0...9).map { "\($0)% (\($0 * 29_294_515)/2929451520)" }
        #expect(try Self.read(rounded) == ["-: 263650635/2929451520"])
    }

    @Test func aCountBeatsAPercentageBesideIt() throws {
        #expect(try Self.read((1...3).map { "Epoch [\($0)/10] acc \($0 * 3)%" }) == ["-: 3/10"])
        #expect(try Self.read((1...5).map { "at \($0)/10: \($0 * 10)%" }) == ["-: 5/10"])
        #expect(try Self.read((1...5).map { "\($0 * 10)% (\($0) of 10)" }) == ["-: 5/10"])
        #expect(
            try Self.read((1...3).map { "Epoch [\($0)/10] Acc: \(70 + $0 * 10)%" }) == ["-: 3/10"]
        )
    }

    @Test func aCountOfAnythingBeforeANumberIsNoCountOfItsSteps() throws {
        // Only that nobody knows what it is a part of.
        #expect(try Self.read(["Copyright 1/2"] + Self.rising("Copying ", to: 50)) == [])
    }

    @Test func whatIsPrintedAtOnceIsATable() throws {
        var reader = try OutputReader(choice: .automatic(CommandWords(["./job.sh"])))
        #expect(reader.read("done 1%\ndone 2%\ndone 3%\ndone 4%\n").isEmpty)
        #expect(reader.tick(at: 0).isEmpty)
        #expect(reader.read("done 5%\n").isEmpty)
    }
}
