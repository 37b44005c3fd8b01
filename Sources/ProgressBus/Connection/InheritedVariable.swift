/// The variables of the environment that say what a process was started for.
enum InheritedVariable {
    static let ticket = "PROGRESSBUS_TICKET"
    static let parent = "PROGRESSBUS_PARENT"
}
