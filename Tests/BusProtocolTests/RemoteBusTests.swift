import Testing

@testable import BusProtocol

@Suite("The bus of another machine by name")
struct RemoteBusTests {
    @Test(
        "machine, port and directory",
        arguments: [
            ("ssh://far", "far", nil, nil),
            ("ssh://ann@far:2222", "ann@far", 2222, nil),
            ("ssh://ann@far/run/bus/", "ann@far", nil, "/run/bus"),
            ("ssh://[fe80::1%eth0]:22/bus", "fe80::1%eth0", 22, "/bus"),
            ("ssh://far/", "far", nil, nil),
        ] as [(String, String, Int?, String?)]
    )
    func parts(text: String, machine: String, port: Int?, directory: String?) throws {
        let bus = try RemoteBus(parsing: text)
        #expect(bus.machine == machine && bus.port == port && bus.directory == directory)
        #expect(try RemoteBus(parsing: bus.description) == bus, "\(bus)")
    }

    @Test("--on takes a machine, with its port or without")
    func machines() throws {
        #expect(try RemoteBus(machine: "far").description == "ssh://far")
        #expect(try RemoteBus(machine: "ann@far:22").description == "ssh://ann@far:22")
    }

    @Test(
        "what ssh or a shell would take for something else is no machine and no directory",
        arguments: [
            "ssh://", "ssh:///bus", "ssh://-oProxyCommand=x", "ssh://a b", "ssh://a;b", "ssh://a'b",
            "ssh://far:0", "ssh://far:65536", "ssh://far:x", "ssh://@far", "ssh://far/a:b",
            "ssh://far/a'b", "ssh://far/a b", "ssh://far/$(x)", "ssh://far/a\nb", "far",
            "ssh://far/" + String(repeating: "a", count: 100),
        ]
    )
    func refused(text: String) {
        #expect(throws: EndpointError.self) { try RemoteBus(parsing: text) }
    }

    @Test("viewers take the address of the environment, and what reports refuses it in words")
    func resolution() throws {
        let environment = ["PROGRESSBUS_ENDPOINT": "ssh://far"]
        let (bus, origin) = try ViewedBus.resolve(explicit: nil, environment: environment)
        #expect(bus.description == "ssh://far" && origin == "from PROGRESSBUS_ENDPOINT")
        let here = try ViewedBus.resolve(explicit: "ipc:///b", environment: environment).bus
        #expect(here.description == "ipc:///b")
        let error = #expect(throws: EndpointError.self) {
            try BusEndpoint.resolve(explicit: nil, environment: environment)
        }
        #expect(error?.sentence.contains("is for looking") == true)
    }
}
