/// Stops with a finding unless the promise was kept.
func promise(_ isKept: Bool, _ sentence: @autoclosure () -> String) {
    // A finding is a process that ends; libFuzzer writes down the input.
    guard isKept else { fatalError("broken promise: \(sentence())") }
}
