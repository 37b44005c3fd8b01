// Descriptions as they are kept: in a slab, in the record, and what is left of them.
extension ProgressTree {
    /// What was stated under the name of a record; `nil` if it has not been described.
    func stated(_ slot: Slot) -> TaskDescription? {
        guard let stored = described(slot) else { return nil }
        return stored.description(
            of: nodes[slot].id.session,
            title: texts.text(at: stored.title),
            unit: units.name(nodes[slot].unit),
            share: nodes[slot].share
        )
    }

    /// Keeps a description and what it uses; returns whether it is another than before.
    mutating func store(_ description: TaskDescription, for slot: Slot) -> Bool {
        let old = described(slot)
        let formerShare = nodes[slot].share
        let formerUnit = nodes[slot].unit
        var stored = StoredDescription(
            description,
            of: nodes[slot].id.session,
            title: old?.title ?? .empty
        )
        let isSameTitle = old.map { texts.holds(description.title, at: $0.title) } ?? false
        if !isSameTitle {
            if let old { texts.remove(at: old.title) }
            stored.title = texts.insert(description.title)
        }
        nodes[slot].share = FixedPoint.share(description.effectiveShare)
        nodes[slot].unit = units.retain(description.unit)
        units.release(formerUnit)
        keep(stored, for: slot)
        return !isSameTitle || stored != old || nodes[slot].share != formerShare
            || nodes[slot].unit != formerUnit
    }

    /// Gives up what a description uses, with the description.
    mutating func discardDescription(of slot: Slot) {
        guard let stored = described(slot) else { return }
        texts.remove(at: stored.title)
        units.release(nodes[slot].unit)
        nodes[slot].unit = noSlot
        keep(nil, for: slot)
    }
}
