import Foundation
import ProgressBus
import Testing

@testable import ProgressBusFoundation

/// What looks at an object mean, without the object.
@Suite("What a look at a Progress object means")
struct MirrorMachineTests {
    private func reading(
        _ completed: Int64,
        of total: Int64,
        fraction: Double? = nil,
        _ change: (inout ProgressReading) -> Void = { _ in }
    ) -> ProgressReading {
        var reading = ProgressReading(completed: completed, total: total, fraction: fraction)
        reading.isFinished = completed > 0 && total >= 0 && completed >= total
        change(&reading)
        return reading
    }

    @Test("Counts of a leaf are its amounts, each said once")
    func leaf() {
        var machine = MirrorMachine(unit: nil)
        #expect(machine.looked(reading(0, of: 8, fraction: 0)) == [.total(8)])
        #expect(machine.looked(reading(3, of: 8, fraction: 0.375)) == [.complete(3)])
        #expect(machine.looked(reading(3, of: 8, fraction: 0.375)).isEmpty)
        #expect(machine.looked(reading(3, of: 9)) == [.total(9)])
    }

    @Test("An indeterminate object has no total, and may get one and lose it again")
    func indeterminate() {
        var machine = MirrorMachine(unit: nil)
        #expect(machine.looked(reading(0, of: 0)).isEmpty)
        #expect(machine.looked(reading(4, of: -1)) == [.complete(4)])
        #expect(machine.looked(reading(4, of: 5)) == [.total(5)])
        #expect(machine.looked(reading(-1, of: 5)) == [.total(nil), .complete(0)])
    }

    @Test("Unfinished children show in ten-thousandths where the object's own units are few")
    func children() {
        var machine = MirrorMachine(unit: "parts")
        #expect(machine.looked(reading(0, of: 3, fraction: 0)) == [.total(3)])
        #expect(
            machine.looked(reading(0, of: 3, fraction: 0.25))
                == [.count(""), .total(10_000), .complete(2_500)]
        )
        let whole = machine.looked(reading(1, of: 3, fraction: 1.0 / 3))
        #expect(whole == [.complete(3_333)], "it stays with the finer units")
        #expect(machine.looked(reading(3, of: 3, fraction: 0.97)) == [.complete(10_000)])
    }

    @Test("Unfinished children show in the object's own units where these are many")
    func manyUnits() {
        var machine = MirrorMachine(unit: nil)
        let total: Int64 = 1 << 40
        _ = machine.looked(reading(0, of: total, fraction: 0) { $0.unit = .bytes })
        #expect(machine.looked(reading(0, of: total, fraction: 0.5)) == [.complete(1 << 39)])
    }

    @Test("What Foundation makes of its fractions is never more than a wrong number")
    func hostileFractions() {
        for fraction in [Double.nan, .infinity, -.infinity, -3, 1e300, 0.5, 1.6] {
            for total in [Int64.min, -1, 0, 1, 9_999, 10_000, .max] {
                for completed in [Int64.min, -1, 0, 1, .max] {
                    var machine = MirrorMachine(unit: nil)
                    let hostile = reading(completed, of: total, fraction: fraction)
                    for case .complete(let amount) in machine.looked(hostile) {
                        #expect(amount >= 0, "\(completed) of \(total), \(fraction)")
                    }
                }
            }
        }
    }

    @Test("Finished counts when two looks in a row say so, or one that is not passing")
    func finished() {
        var machine = MirrorMachine(unit: nil)
        #expect(!machine.looked(reading(1, of: 1)).contains(.succeed))
        #expect(!machine.looked(reading(1, of: 2)).contains(.succeed), "it has found more")
        #expect(!machine.looked(reading(2, of: 2)).contains(.succeed))
        #expect(machine.looked(reading(2, of: 2)) == [.succeed])
        #expect(machine.looked(reading(3, of: 9)).isEmpty, "nothing after an ending")
        for look in [MirrorMachine.Look.settled, .last] {
            var machine = MirrorMachine(unit: nil)
            #expect(
                machine.looked(reading(7, of: 7), look) == [.total(7), .complete(7), .succeed]
            )
        }
    }

    @Test("Released: finished or nothing to do is success, anything else is not")
    func released() {
        func ending(_ reading: ProgressReading) -> MirrorMachine.Action? {
            var machine = MirrorMachine(unit: nil)
            return machine.looked(reading, .last).last
        }
        #expect(ending(reading(2, of: 2)) == .succeed)
        #expect(ending(reading(0, of: 0)) == .succeed)
        #expect(ending(reading(2, of: 0)) == .succeed)
        let reason = "its Progress object was released before it was finished"
        #expect(ending(reading(1, of: 2)) == .fail(reason))
        #expect(ending(reading(0, of: -1)) == .fail(reason))
        #expect(ending(reading(1, of: 2) { $0.isCancelled = true }) == .endCancelled)
        var settled = MirrorMachine(unit: nil)
        #expect(settled.looked(reading(1, of: 2), .settled) == [.total(2), .complete(1)])
        var vanished = MirrorMachine(unit: nil)
        #expect(vanished.vanished() == [.fail(reason)])
        #expect(vanished.vanished().isEmpty)
        var seen = MirrorMachine(unit: nil)
        _ = seen.looked(reading(2, of: 2))
        #expect(seen.vanished() == [.succeed])
    }

    @Test("Pausing is said when it changes, and what viewers may ask is offered once")
    func requests() {
        var machine = MirrorMachine(unit: nil)
        let able = reading(1, of: 3) {
            $0.isCancellable = true
            $0.isPausable = true
        }
        #expect(machine.looked(able).suffix(2) == [.offerCancel, .offerPause])
        var paused = able
        paused.isPaused = true
        #expect(machine.looked(paused) == [.pause])
        #expect(machine.looked(paused).isEmpty)
        #expect(machine.looked(able) == [.resume])
        paused.isCancelled = true
        #expect(machine.looked(paused) == [.pause, .endCancelled])
    }
}
