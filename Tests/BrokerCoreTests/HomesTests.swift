import TaskTree
import TestSupport
import Testing

@testable import BrokerCore

@Suite("Where tasks are seen")
struct HomesTests {
    private func home(_ number: UInt64) -> Home {
        let session = SessionID(rawValue: 1)
        return Home(
            parent: number % 3 == 0 ? nil : TaskID(index: number, session: session),
            job: TaskID(index: number / 4 + 1, session: session)
        )
    }

    @Test("brothers and sisters share one, which is given up with the last of them")
    func shared() {
        var homes = Homes()
        let first = homes.enter(home(1))
        #expect(homes.enter(home(1)) == first)
        let second = homes.enter(home(2))
        #expect(second != first)
        #expect(homes.count == 2)
        homes.leave(first)
        #expect(homes[first] == home(1))
        homes.leave(first)
        #expect(homes.count == 1)
        #expect(homes.enter(home(5)) == first, "its number is another's")
        #expect(homes[second] == home(2))
    }

    @Test("nowhere is no home")
    func nowhere() {
        var homes = Homes()
        #expect(homes.enter(.nowhere) == Homes.nowhere)
        homes.leave(Homes.nowhere)
        #expect(homes[Homes.nowhere] == .nowhere)
        #expect(homes.count == 0)
    }

    @Test("each finds its own, however many come and go, and nothing is left over")
    func manyComeAndGo() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var homes = Homes()
        var tenants: [(number: Int32, home: Home)] = []
        for round in 0..<20_000 {
            if random.next() % 2 == 0 || tenants.isEmpty {
                let home = home(random.next() % 40)
                tenants.append((homes.enter(home), home))
            } else {
                let place = Int.random(in: tenants.indices, using: &random)
                homes.leave(tenants.remove(at: place).number)
            }
            if let one = tenants.randomElement(using: &random) {
                #expect(homes[one.number] == one.home, "seed \(seed), round \(round)")
            }
        }
        #expect(homes.count == Set(tenants.map(\.home)).count, "seed \(seed)")
        for tenant in tenants { homes.leave(tenant.number) }
        #expect(homes.count == 0, "seed \(seed)")
    }
}
