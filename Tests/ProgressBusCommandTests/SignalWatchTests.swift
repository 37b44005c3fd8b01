import Dispatch
import Testing

@testable import ProgressBusCommand

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct SignalWatchTests {
    @Test("a signal that comes as soon as it is watched for is told")
    func atOnce() {
        for round in 1...50 {
            let told = DispatchSemaphore(value: 0)
            let watch = SignalWatch([SIGUSR2]) { _ in told.signal() }
            kill(getpid(), SIGUSR2)
            #expect(told.wait(timeout: .now() + 5) == .success, "round \(round)")
            withExtendedLifetime(watch) {}
        }
    }
}
