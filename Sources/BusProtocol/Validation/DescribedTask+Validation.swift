extension DescribedTask {
    /// Checks the fields that both have.
    mutating func acceptWords() throws(ProtocolViolation) {
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
        try Check.text(unit, "unit", ProtocolLimits.unitBytes) { unit = $0 }
        try Check.text(tint, "tint", ProtocolLimits.tintBytes) { tint = $0 }
        try Check.text(consequence, "consequence", ProtocolLimits.consequenceBytes) {
            consequence = $0
        }
        try Check.text(host, "host", ProtocolLimits.hostBytes) { host = $0 }
        if hasShare { try Check.range(share, "share", 0...ProtocolLimits.maxShare) }
        if hasExpectedChildren {
            try Check.range(expectedChildren, "expected_children", 0...Int64.max)
        }
        if hasExpectedGap {
            try Check.range(expectedGap, "expected_gap", 0...ProtocolLimits.maxExpectedGap)
        }
        if hasPlace { try Check.range(place, "place", 0...ProtocolLimits.maxPlace) }
        if hasCell { try Check.range(cell, "cell", 0...ProtocolLimits.maxPlace) }
    }
}
