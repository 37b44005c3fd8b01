import BusProtocol
import Testing

@testable import ProgressBusCommand

@Suite("What doctor says of the hosts of a fleet")
struct FleetDoctorTests {
    private func host(_ name: String, unheard: Double = 0) -> WireFleetHost {
        var host = WireFleetHost()
        host.name = name
        host.unheard = unheard
        return host
    }

    private func lines(
        _ hosts: [WireFleetHost],
        others: UInt64 = 0,
        trouble: String = ""
    ) -> [String] {
        var said = WireProbeAnswer()
        (said.hosts, said.otherHosts, said.trouble) = (hosts, others, trouble)
        return Examination.fleetHosts(said, now: 1_000).map(\.line)
    }

    @Test("what the bridge says keeps it from the fleet comes first, and is trouble")
    func trouble() {
        #expect(
            lines([host("b")], trouble: "NATS is not reached\u{1B}[2J") == [
                "bad   Something keeps this host from its fleet: NATS is not reached [2J.",
                "ok    The broker hears these hosts of the fleet: b.",
            ]
        )
    }

    @Test("nothing without others; who is heard, by name, and how many more")
    func heard() {
        #expect(lines([]).isEmpty)
        #expect(
            lines([host("b"), host("c")]) == [
                "ok    The broker hears these hosts of the fleet: b, c."
            ]
        )
        let many = (1...7).map { host("h\($0)") }
        let words = "h1, h2, h3, h4, h5 and 12 more."
        #expect(
            lines(many, others: 10) == ["ok    The broker hears these hosts of the fleet: \(words)"]
        )
    }

    @Test("some that are not heard are no trouble, none at all is")
    func unheard() {
        #expect(
            lines([host("b\u{1B}[2J", unheard: 880), host("c")]) == [
                "note  Host b [2J of the fleet has not been heard for 2 min.",
                "ok    The broker hears these hosts of the fleet: c.",
            ]
        )
        let none = lines([host("b", unheard: 400), host("c", unheard: 990)])
        #expect(none.count == 1)
        let many = lines([host("b", unheard: 400)], others: 3)
        #expect(many == ["note  Of the fleet 1 hosts or more are not heard."])
        #expect(none[0].hasPrefix("bad   No other host of the fleet has been heard for 10 s: all"))
    }

    @Test("hosts of one name are said")
    func sameName() {
        #expect(
            lines([host("b"), host("b"), host("c")]).last
                == "note  2 hosts of the fleet are called b: give each its own name."
        )
    }
}
