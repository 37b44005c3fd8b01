// Re-exports the public types of the module TaskTree, such as `TaskID` and `TaskOptions`, because
// this library's API uses them. A typealias would give importers the names without the members.
// Swift has no spelling of this attribute without the underscore.
@_exported public import TaskTree
