import Testing

@testable import ProgressBusBroker

@Suite("When connections are turned away")
struct AdmissionRuleTests {
    @Test(
        "whatever is allowed: who waits at the door still finds room when it closes",
        arguments: [64, 128, 256, 1_024, 4_096, 20_000, 1_048_576]
    )
    func room(limit: Int) {
        let rule = AdmissionRule(limit: limit)
        #expect(rule.closesAt > 0)
        #expect(rule.opensAt < rule.closesAt)
        // Three sockets, and one more that each may have accepted before the door closes.
        #expect(limit < 128 || rule.closesAt + 3 * (rule.backlog + 1) < limit)
    }

    @Test("sessions: as many as have room with all their connections")
    func sessions() {
        let rule = AdmissionRule(limit: 1_024)
        let sessions = rule.sessions(besides: 60)
        #expect(60 + sessions * AdmissionRule.descriptorsPerClient <= rule.closesAt)
        #expect(60 + (sessions + 1) * AdmissionRule.descriptorsPerClient > rule.closesAt)
        #expect(rule.sessions(besides: 2_000) == 1)
    }

    @Test(
        "one process whose sessions have all their connections keeps the door open and loses none",
        arguments: [1_024, 4_096, 20_000, 1_048_576]
    )
    func oneProcess(limit: Int) {
        let rule = AdmissionRule(limit: limit)
        let connections = 3 * min(256, rule.sessions(besides: 60))
        #expect(60 + connections < rule.opensAt || connections <= rule.keptPerProcess)
    }

    @Test("who has too many connections loses the newest of them, the others none")
    func excess() {
        let rule = AdmissionRule(limit: 65_536, perProcess: 3)
        let excess = rule.excess(of: [1: [10, 11, 15, 16, 17], 2: [12, 13, 14], 3: [18]])
        #expect(excess.mapValues { Array($0) } == [1: [16, 17]])
        #expect(AdmissionRule(limit: 256, perProcess: 1_024).keptPerProcess == 40)
    }

    @Test("it is looked often enough before the door closes, and not at every connection")
    func looks() {
        let rule = AdmissionRule(limit: 65_536)
        var open = 0
        var looks = 0
        while open < rule.closesAt {
            open = rule.looksAt(open)
            looks += 1
        }
        #expect(open == rule.closesAt)
        #expect((2...16).contains(looks), "\(looks)")
    }
}
