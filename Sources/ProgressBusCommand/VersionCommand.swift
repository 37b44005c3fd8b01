import ArgumentParser
import BusProtocol
import ZeroMQ

/// `progressbus version`: what this program is made of.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the versions of the program, libzmq and the protocol."
    )

    /// What `--version` prints too.
    static let text = """
        progressbus \(ProgressBusVersion.text)
        libzmq \(ZeroMQVersion.text)
        protocol \(ProtocolVersion.major).\(ProtocolVersion.minor)
        """

    func run() throws {
        try StandardStreams.print(Self.text)
    }
}
