import FuzzTargets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What libFuzzer calls with every input; the environment says which target gets it.
///
/// All of them are one program, as it would take a minute to link each.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    steps += target.play(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Written to the log when libFuzzer ends the process.
///
/// Safe without isolation: libFuzzer calls from one thread.
nonisolated(unsafe) private var steps = 0

/// The name of the environment's variable that names the target.
private let variable = "PROGRESSBUS_FUZZ_TARGET"

/// Read once: the environment does not change.
private let target: FuzzTarget = {
    guard let target = getenv(variable).flatMap({ FuzzTarget(rawValue: String(cString: $0)) })
    else {
        // Nothing was fuzzed: somebody called the program and not Tools/TestSupport/fuzz.
        fatalError("\(variable) names no target; call Tools/TestSupport/fuzz")
    }
    atexit { print("stat::steps:", steps) }
    return target
}()
