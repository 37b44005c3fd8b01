package import BusProtocol

/// How the broker comes from one key to the next without a gap: first it makes it and says it to its
/// members, later it takes it.
extension AccessFile {
    /// Seconds from the one to the other.
    package static let overlap: UInt64 = 86_400

    /// Carries out the request of an admin; once more has no other effect than the first time.
    ///
    /// `own` is the public half of the key that the broker has; `fresh` becomes the next key pair,
    /// if there is none.
    package mutating func renew(
        _ request: WireAccessRequest,
        by admin: BusKey,
        own: BusKey?,
        fresh: BusKeyPair,
        at now: UInt64
    ) -> AccessList.Outcome {
        var outcome = AccessList.Outcome()
        outcome.answer.request = request.request
        let name = list.members[admin]?.name ?? ""
        let known = next ?? Next(keys: fresh, since: now + Self.overlap)
        switch request.renewBroker.publicKey {
        case nil:
            outcome.isChanged = next == nil
            outcome.word = "\(name) has the broker take another key in a day"
            next = known
        case known.keys.public where next != nil:
            outcome.isChanged = known.since > now
            outcome.word = "\(name) has the broker take its next key now"
            next?.since = min(known.since, now)
        case own:
            // It has been taken meanwhile.
            return outcome
        default:
            outcome.answer.code = RefusalCode.notPermitted.rawValue
            outcome.answer.sentence = "The broker's next key is another one: ask for it first."
        }
        outcome.answer.renews = next?.since ?? 0
        if !outcome.isChanged { outcome.word = nil }
        return outcome
    }

    /// Whether the next key is to be taken.
    package func isNextDue(at now: UInt64) -> Bool { next.map { now >= $0.since } ?? false }

    /// Makes the next key the broker's own, if that is due; whether it was.
    package mutating func takeNext(at now: UInt64) -> Bool {
        guard let next, isNextDue(at: now) else { return false }
        secret = next.keys.secret
        self.next = nil
        list.voidInvitations()
        return true
    }
}
