import ArgumentParser
import BusProtocol
import ZeroMQ

/// `progressbus version`: what this program is made of.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the versions of program, libzmq and protocol."
    )

    func run() throws {
        try StandardStreams.print("progressbus \(ProgressBusVersion.text)")
        try StandardStreams.print("libzmq \(ZeroMQVersion.text)")
        try StandardStreams.print("protocol \(ProtocolVersion.major).\(ProtocolVersion.minor)")
    }
}
