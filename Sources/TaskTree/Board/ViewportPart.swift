/// A part of what a bus shows that can be followed by itself.
///
/// A viewer follows the parts it has on its screen and no others, so that what it costs depends on
/// what is shown and not on what exists.
package enum ViewportPart: Hashable, Sendable {
    /// The jobs in `slotsPerPage` slots; page 0 has slot 1.
    case board(page: Int)
    /// The children at `placesPerBlock` places of a task; block 0 has place 1.
    case children(of: TaskID, block: Int)
    /// The states of `cellsPerBlock` tasks of a job; block 0 has cell 1.
    case states(of: TaskID, block: Int)
    /// The tasks of a job by host.
    case hosts(of: TaskID)
    /// What the tasks of a job have said.
    case messages(of: TaskID)

    package static let slotsPerPage = 64
    package static let placesPerBlock = 64
    package static let cellsPerBlock = 4_096
}
