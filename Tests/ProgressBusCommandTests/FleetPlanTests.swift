import Testing

@testable import ProgressBusCommand

/// Servers and hosts of a fleet, and what nats-server is started with.
struct FleetPlanTests {
    private static func plan(servers: Int) -> FleetPlan {
        var plan = FleetPlan(
            bus: "farm",
            servers: (1...servers).map { .init(name: "nats\($0).example", port: 4_222) }
        )
        plan.hosts = [
            .init(name: "render-0", broker: 0x9), .init(name: "render-1", broker: 0x1a, key: 1),
            .init(name: "render-2", broker: 0x2b, key: 0x3c),
        ]
        return plan
    }

    @Test func `what is written: read as it was`() {
        for servers in [1, 3] {
            let plan = Self.plan(servers: servers)
            #expect(FleetPlan(parsing: plan.text) == plan)
        }
    }

    @Test(arguments: [
        "", "bus farm\n", "bus a b\nserver x 1\n", "bus farm\nserver x\n",
        "bus farm\nserver x 0\n", "bus farm\nserver x 1\nhost y 0 1\n",
        "bus farm\nserver x 1\nhost \"y\" 1 2\n", "bus farm\nserver x 1\nanything\n",
    ])
    func `anything else: no plan`(text: String) {
        #expect(FleetPlan(parsing: text) == nil)
    }

    @Test func `a host: may say what is its own and remove nothing`() throws {
        let plan = Self.plan(servers: 1)
        let text = plan.configuration(of: plan.servers[0], in: "/d", runningIn: "/r")
        let user = try #require(text.split(separator: "{ user: ").last)
        #expect(user.hasPrefix("\"CN=render-2.000000000000003c\""))
        #expect(user.contains("\"pb1.farm.slot.000000000000002b.*\""))
        #expect(!user.contains("000000000000001a"))
        #expect(!text.contains("render-0"))
        for verb in ["DELETE.PB1_farm\"", "PURGE", "UPDATE", "MSG"] {
            #expect(!user.contains("STREAM.\(verb)"))
        }
        #expect(!text.contains("cluster"))
    }

    @Test func `three servers: each speaks with the others`() {
        let plan = Self.plan(servers: 3)
        let text = plan.configuration(of: plan.servers[1], in: "/d", runningIn: "/r")
        #expect(text.contains("server_name: \"nats2.example\""))
        #expect(text.contains("\"tls://nats3.example:6222\""))
        #expect(plan.lines(for: plan.hosts[0]).contains("replicas 3"))
    }
}
