// What a failure waits for at both ends, so it is written by hand: the generated code looks at all
// of it twice, through tables, which takes some four times as long. The numbers are those of the
// fields in the schema; unknown fields are not written, and nothing that was decoded has any.

extension WireEndings {
    func write(to endings: inout MessageWriter) {
        endings.number(1, sequence)
        for ending in self.endings { endings.message(2) { ending.write(to: &$0) } }
        for fold in folds { endings.message(3) { fold.write(to: &$0) } }
    }
}

extension WireEnding {
    fileprivate func write(to ending: inout MessageWriter) {
        if hasDescription_p { ending.message(1) { description_p.write(to: &$0) } }
        ending.choice(2, state.rawValue)
        ending.text(3, reason)
        ending.zigzag(4, completed)
        if hasTotal { ending.zigzag(5, Optional(total)) }
        ending.text(6, detail)
        if hasClock { ending.message(7) { clock.write(to: &$0) } }
        ending.double(8, time)
    }
}

extension WireDescription {
    fileprivate func write(to description: inout MessageWriter) {
        description.number(1, index)
        if hasParent { description.message(2) { parent.write(to: &$0) } }
        if hasTicket { description.message(3) { ticket.write(to: &$0) } }
        description.truth(4, isTicket)
        description.text(5, title)
        description.text(6, unit)
        description.text(7, key)
        if hasShare { description.zigzag(8, Optional(share)) }
        if hasExpectedChildren { description.zigzag(9, Optional(expectedChildren)) }
        description.truth(10, totalIsEstimate)
        description.choice(11, style.rawValue)
        description.truth(12, background)
        description.text(13, tint)
        description.truth(14, cancellable)
        description.truth(15, pausable)
        description.text(16, consequence)
        if hasExpectedGap { description.double(17, Optional(expectedGap)) }
        if hasPlace { description.number(18, Optional(place)) }
        if hasCell { description.number(19, Optional(cell)) }
        description.double(20, begun)
    }
}

extension WireClock {
    fileprivate func write(to clock: inout MessageWriter) {
        clock.number(1, elapsed)
        clock.number(2, active)
        clock.number(3, sinceAdvance)
    }
}

extension WireFold {
    fileprivate func write(to fold: inout MessageWriter) {
        if hasParent { fold.message(1) { parent.write(to: &$0) } }
        fold.number(2, succeeded)
        fold.number(3, failed)
        fold.number(4, cancelled)
        fold.number(5, share)
        fold.number(6, weightedHigh)
        fold.number(7, weightedLow)
        for sum in sums {
            fold.message(8) {
                $0.text(1, sum.unit)
                $0.zigzag(2, sum.completed)
                $0.zigzag(3, sum.total)
            }
        }
        fold.numbers(9, removed)
    }
}

extension WireTaskRef {
    func write(to reference: inout MessageWriter) {
        reference.number(1, index)
        reference.fixed(2, session)
    }
}
