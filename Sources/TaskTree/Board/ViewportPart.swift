/// A part of a bus's display that a viewer can follow by itself.
///
/// A viewer follows only the parts on its screen, so its cost depends on what it shows and not on
/// how many tasks exist.
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
