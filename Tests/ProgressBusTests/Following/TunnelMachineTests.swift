import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Deciding about ssh")
struct TunnelMachineTests {
    private let now = Moment(nanoseconds: 0)
    private let answer = "progressbus-bus yes no /run/bus"

    private func machine() throws -> TunnelMachine {
        TunnelMachine(try RemoteBus(machine: "ann@far"))
    }

    /// One that has connected once.
    private func openMachine() throws -> TunnelMachine {
        var machine = try machine()
        _ = machine.take(.line(answer), at: now)
        _ = machine.take(.forwarded(isDone: true), at: now)
        return machine
    }

    @Test("asks the person first, forwards what the machine names, and is open")
    func opening() throws {
        var machine = try machine()
        #expect(machine.beginning == .connect(asksPerson: true))
        #expect(machine.take(.line("Welcome to far!"), at: now) == [])
        #expect(machine.take(.line(answer), at: now) == [.forward(directory: "/run/bus")])
        #expect(machine.take(.forwarded(isDone: true), at: now) == [])
        guard case .open(let there) = machine.stage else {
            Issue.record("\(machine.stage)")
            return
        }
        #expect(there.hasBroker && !there.hasProgram)
        #expect(machine.nextTime == nil)
    }

    @Test(
        "a first connection that does not come is said with the words of ssh, and not tried again"
    )
    func failing() throws {
        var machine = try machine()
        _ = machine.take(
            .complaint("ssh: connect to host far port 22: Connection refused"),
            at: now
        )
        _ = machine.take(.complaint("Connection closed by UNKNOWN port 65535"), at: now)
        #expect(machine.take(.ended, at: now) == [.disconnect])
        guard case .failed(let error) = machine.stage else {
            Issue.record("\(machine.stage)")
            return
        }
        #expect(error.code == .cannotConnect)
        #expect(error.description.contains("no connection to ann@far"))
        #expect(error.description.contains("Connection refused"))
        #expect(machine.take(.time, at: now.advanced(bySeconds: 60)) == [])
    }

    @Test("a lost connection is made again without asking, after pauses that grow to 15 s")
    func comingBack() throws {
        var machine = try openMachine()
        var time = now
        var pauses: [Double] = []
        for _ in 0..<8 {
            #expect(machine.take(.ended, at: time) == [.disconnect])
            let next = try #require(machine.nextTime)
            pauses.append(next.seconds(since: time))
            #expect(machine.take(.time, at: time) == [], "not before its time")
            time = next
            #expect(machine.take(.time, at: time) == [.connect(asksPerson: false)])
        }
        #expect(pauses == [0.5, 1, 2, 4, 8, 15, 15, 15])
        _ = machine.take(.line(answer), at: time)
        _ = machine.take(.forwarded(isDone: true), at: time)
        _ = machine.take(.ended, at: time)
        #expect(machine.nextTime == time.advanced(bySeconds: 0.5), "an open one begins anew")
    }

    @Test("a connection that comes back and says nothing is given up after 20 s")
    func silence() throws {
        var machine = try openMachine()
        _ = machine.take(.ended, at: now)
        _ = machine.take(.time, at: now.advanced(bySeconds: 1))
        let deadline = try #require(machine.nextTime)
        #expect(machine.take(.time, at: deadline) == [.disconnect])
        #expect(machine.nextTime != nil)
    }

    @Test(
        "a directory that ssh would take for something else is refused",
        arguments: ["relative", "/a:b", "/a'b", "/", "/" + String(repeating: "a", count: 200)]
    )
    func hostileDirectory(directory: String) throws {
        var machine = try machine()
        #expect(
            machine.take(.line("progressbus-bus yes yes \(directory)"), at: now) == [.disconnect]
        )
        guard case .failed(let error) = machine.stage else {
            Issue.record("\(machine.stage)")
            return
        }
        #expect(error.code == .badEndpoint)
    }

    @Test("ssh is given what it needs, and the machine after everything that could be an option")
    func arguments() throws {
        let arguments = TunnelArguments(
            remote: try RemoteBus(parsing: "ssh://ann@far:2222"),
            directory: "/t"
        )
        let first = arguments.connect(asksPerson: true)
        #expect(first.contains("BatchMode=no") && first.contains("ControlPath=/t/master"))
        #expect(first.suffix(5).prefix(4) == ["-p", "2222", "--", "ann@far"])
        #expect(arguments.connect(asksPerson: false).contains("BatchMode=yes"))
        let second = arguments.forward(from: "/run/bus")
        #expect(second.starts(with: ["-O", "forward"]))
        #expect(second.contains("/t/control:/run/bus/control"))
        #expect(second.contains("/t/updates:/run/bus/updates"))
        #expect(second.suffix(2) == ["--", "ann@far"])
    }
}
