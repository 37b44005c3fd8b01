import BrokerCore
import Testing

extension Bus {
    /// Nothing is in the journal but which slot belongs to which key.
    func expectEmptyJournal(at location: SourceLocation = #_sourceLocation) {
        let kept = JournalEntry.compact(journal).filter {
            if case .slot = $0 { false } else { true }
        }
        #expect(
            kept.isEmpty,
            "\(kept.count): \(kept.prefix(4))",
            sourceLocation: location
        )
    }
}
