// Re-exports `TaskID`, `SessionID` and `TaskStyle`: the module TaskTree declares them, and this
// library's API uses them. A typealias would give importers the names without the members. Swift
// has no spelling of this attribute without the underscore.
@_exported public import TaskTree
