import DashboardCore

/// "1 job", "1,234 jobs".
func counted(_ number: Int, _ noun: String) -> String {
    "\(HumanNumbers.grouped(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// "1 needs attention", "2 need attention".
func inNeedOfAttention(_ number: Int) -> String {
    "\(number) need\(number == 1 ? "s" : "") attention"
}
