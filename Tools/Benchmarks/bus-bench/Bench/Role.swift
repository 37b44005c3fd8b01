import Foundation
import RawZeroMQ

/// What a process does that a section has started.
enum Role {
    static func run(_ arguments: [String]) async {
        let numbers = arguments.compactMap { Int($0) }
        switch (arguments.first, numbers.count) {
        case ("children", 1): await ChildrenSection.children(numbers[0])
        case ("alive", 1): ChildrenSection.alive(numbers[0])
        case ("short-children", 1): await TrafficSection.shortChildren(numbers[0])
        case ("change", 1): await LatencySection.change(numbers[0])
        case ("changes-in-a-row", 1): await LatencySection.changeInARow(numbers[0])
        case ("crowd", 2): SessionsSection.crowd(numbers[0], hertz: numbers[1])
        case ("send", 2): FanInSection.send(Array(arguments.dropFirst()))
        case ("receive", _) where arguments.count == 2: fan_in_receive(arguments[1])
        case ("echo", _) where arguments.count == 2: echo(arguments[1])
        default: fail(64, "no role \(arguments.joined(separator: " "))")
        }
    }
}
