import TaskTree
import TestSupport
import Testing

/// What comes, changes its age, and leaves, oldest first.
@Suite struct AgeOrderTests {
    @Test(arguments: 1...10)
    func `the oldest agrees with a look at all`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var order = AgeOrder<Int, Int>()
        var ages: [Int: Int] = [:]
        for number in 0..<2_000 {
            let element = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                order.put(element, age: number)
                ages[element] = number
            case 2:
                // As a journal may tell it; an age that nobody else has.
                let age = Int.random(in: 0...number, using: &random) * 10_000 + number
                order.put(element, age: -age)
                ages[element] = -age
            case 3:
                let age = order.remove(element)
                #expect(age == ages.removeValue(forKey: element))
            default:
                let limit = Int.random(in: 0...number, using: &random)
                let oldest = ages.min { $0.value < $1.value }
                let taken = order.takeOldest { $0 <= limit }
                if let oldest, oldest.value <= limit {
                    #expect(taken?.element == oldest.key && taken?.age == oldest.value)
                    ages[oldest.key] = nil
                } else {
                    #expect(taken == nil)
                }
            }
            #expect(order.count == ages.count && order[element] == ages[element])
        }
        while let (element, age) = order.takeOldest() { #expect(ages[element] == age) }
        #expect(order.isEmpty)
    }
}
