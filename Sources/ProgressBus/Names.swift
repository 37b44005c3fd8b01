// `TaskID`, `SessionID` and `TaskStyle` are values of the tree, which knows nothing of this library,
// and part of its surface: whoever imports the library can use them and their members. A typealias
// would give the names alone. The underscored attribute is the only spelling that Swift has.
@_exported public import TaskTree
