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
}
