import BusProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What libFuzzer calls with every input; the environment says which decoder gets it.
///
/// All of them are one program, as it would take a minute to link each. A target traps where a
/// promise is broken; what is merely refused is no finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The name of the environment's variable that names the target.
private let variable = "PROGRESSBUS_FUZZ_TARGET"

/// Read once: the environment does not change.
private let target: @Sendable ([UInt8]) -> Void = {
    let name = getenv(variable).map { String(cString: $0) } ?? ""
    switch name {
    case "report": return { BrokerStage.play($0, as: .report) }
    case "control": return { BrokerStage.play($0, as: .client) }
    case "follower": return { FollowerStage.play($0) }
    case "spool": return { SpoolFiles.play($0) }
    case "report-lines": return { ReportLines.play($0) }
    case "keys": return { KeyPresses.play($0) }
    case "names": return { Names.play($0) }
    default:
        // Nothing was fuzzed: somebody called the program and not Tools/fuzz.
        fatalError("\(variable) names no target; call Tools/fuzz")
    }
}()

/// Stops with a finding unless the promise was kept.
func promise(_ isKept: Bool, _ sentence: @autoclosure () -> String) {
    // A finding is a process that ends; libFuzzer writes down the input.
    guard isKept else { fatalError("broken promise: \(sentence())") }
}
