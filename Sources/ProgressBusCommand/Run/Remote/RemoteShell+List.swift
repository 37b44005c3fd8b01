import BusProtocol

extension RemoteShell {
    /// Reads `HOST[:NUMBER],…`: machines, and how many commands run there at a time.
    ///
    /// - Parameters:
    ///   - text: The machines; a port is a matter of ssh's configuration.
    ///   - slots: How many where none are named.
    ///   - bus: The bus that the commands report to.
    /// - Returns: What runs a command on each machine, in the order of the text.
    /// - Throws: Exit code 64 where something is no machine or no number.
    static func list(
        _ text: String,
        slots: Int,
        bus: BusEndpoint
    ) throws(CommandFailure) -> [(shell: RemoteShell, slots: Int)] {
        var list: [(shell: RemoteShell, slots: Int)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var number = slots
            if pieces.count == 2 {
                guard let said = Int(pieces[1]), (1...256).contains(said) else {
                    throw CommandFailure(
                        .usage,
                        "\"\(part)\" in --on: behind the machine stands a number from 1 to 256"
                    )
                }
                number = said
            }
            do {
                let machine = try RemoteBus(machine: String(pieces.first ?? ""))
                let shell = RemoteShell(machine: machine, options: [], bus: bus, isOneOfMany: true)
                list.append((shell, number))
            } catch {
                throw CommandFailure(.usage, error.sentence)
            }
        }
        return list
    }
}
