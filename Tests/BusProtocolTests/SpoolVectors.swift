import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

/// The catalogue behind `Protocol/vectors/spool`: whole files, those that must be taken and others.
struct SpoolVector: Sendable, CustomTestStringConvertible {
    var name: String
    var about: String
    var parts: [FramePart]
    /// What the file holds; nil if it must be refused.
    var frames: [WireClientFrame]?

    var testDescription: String { name }
    var bytes: [UInt8] { parts.flatMap(\.bytes) }

    static let all = accepted + rejected

    private static let accepted = [
        taken("spool-job", job, "A job that began and ended while the broker was away."),
        taken(
            "spool-redeemer",
            [hello, Samples.client(.redeem(redeem)), endings, goodbye],
            "The holder of a ticket, which an earlier broker has decided, and a fold."
        ),
        taken(
            "spool-detached-end",
            [detachedEnd],
            "The end of a detached task that nobody answered: no session, and no hello."
        ),
        taken("spool-nothing", [hello], "A hello alone: nothing is said, and the file is deleted."),
    ]

    private static let rejected = [
        refused("spool-empty", [], "No byte at all."),
        refused("spool-cut", Array(whole.dropLast(1)), "The last byte is missing."),
        refused("spool-longer", whole + [0], "A byte follows the checksum."),
        refused("spool-magic", [0x51] + whole.dropFirst(), "It begins with QBSP."),
        refused("spool-major", whole.replacing(4, with: 2), "Another major version."),
        refused("spool-bit", whole.replacing(60, with: whole[60] ^ 4), "One bit is another."),
        refused(
            "spool-length",
            SpoolFile.encode([]).prefix(8) + [0x00, 0x10, 0x00, 0x01],
            "A frame of more bytes than a frame may have, or the file."
        ),
        refused("spool-no-frame", SpoolFile.encode([]), "Whole, and nothing in it."),
        refused("spool-no-hello", SpoolFile.encode([goodbye]), "The first frame is no hello."),
        refused(
            "spool-detached-two",
            SpoolFile.encode([detachedEnd, detachedEnd]),
            "Two requests about detached tasks: each has a file of its own."
        ),
        refused(
            "spool-detached-advance",
            SpoolFile.encode([
                Samples.client(
                    .detached(
                        .with {
                            $0.requestIDBytes = Array(repeating: 7, count: 16)
                            $0.advance = .with {
                                $0.task = Samples.task(1)
                                $0.by = 1
                            }
                        }
                    )
                )
            ]),
            "A request about a detached task that is no end of it."
        ),
        refused("spool-two-hellos", SpoolFile.encode([hello, hello]), "Hello twice."),
        refused(
            "spool-viewer",
            SpoolFile.encode([
                Samples.client(
                    .hello(
                        .with {
                            $0.session = 1
                            $0.viewer = true
                        }
                    )
                )
            ]),
            "A viewer has nothing to leave behind."
        ),
        refused(
            "spool-two-sessions",
            SpoolFile.encode([
                hello,
                .with {
                    $0.credentialBytes = Array(repeating: 1, count: 16)
                    $0.goodbye = WireGoodbye()
                },
            ]),
            "The second frame bears another credential."
        ),
        refused(
            "spool-command",
            SpoolFile.encode([
                hello,
                Samples.client(
                    .command(
                        .with {
                            $0.request = 1
                            $0.verb = .cancel
                            $0.target = Samples.task(1)
                        }
                    )
                ),
            ]),
            "Somebody who is gone commands nothing."
        ),
        refused(
            "spool-beyond-a-limit",
            SpoolFile.encode([
                hello,
                Samples.client(
                    .endings(
                        .with {
                            $0.sequence = 1
                            $0.endings = [
                                .with {
                                    $0.description_p.index = 1
                                    $0.description_p.title = String(repeating: "a", count: 201)
                                }
                            ]
                        }
                    )
                ),
            ]),
            "A title of 201 bytes: the limits of frames hold."
        ),
    ]

    static let hello = Samples.client(
        .hello(
            .with {
                $0.session = Samples.session.rawValue
                $0.process = Samples.process
                $0.client = "backup 3.1, progressbus 0.1.0"
            }
        )
    )
    private static let detachedEnd = Samples.client(
        .detached(
            .with {
                $0.requestIDBytes = Array(repeating: 7, count: 16)
                $0.end = .with {
                    $0.task = Samples.task(1)
                    $0.state = .failed
                    $0.reason = "no space left"
                }
            }
        )
    )
    static let endings = Samples.client(.endings(Samples.endings))
    static let goodbye = Samples.client(.goodbye(WireGoodbye()))
    static let job = [
        hello,
        Samples.client(
            .endings(
                .with {
                    $0.sequence = 9
                    $0.endings = [
                        .with {
                            $0.description_p = Samples.job
                            $0.state = .succeeded
                            $0.completed = 4
                            $0.total = 4
                            $0.clock = Samples.clock
                            $0.time = Samples.time
                        }
                    ]
                }
            )
        ),
        goodbye,
    ]
    private static let redeem = WireRedeem.with {
        $0.index = 1
        $0.ticket = Samples.task(3, of: Samples.other)
        $0.known = .with {
            $0.index = 1
            $0.kind = .holder
            $0.task = Samples.task(3, of: Samples.other)
            $0.attempt = 2
        }
    }
    private static let whole = SpoolFile.encode(job)

    private static func taken(
        _ name: String,
        _ frames: [WireClientFrame],
        _ about: String
    ) -> SpoolVector {
        SpoolVector(
            name: name,
            about: about,
            parts: [FramePart(bytes: SpoolFile.encode(frames))],
            frames: frames
        )
    }

    private static func refused(
        _ name: String,
        _ bytes: some Sequence<UInt8>,
        _ about: String
    ) -> SpoolVector {
        SpoolVector(name: name, about: about, parts: [FramePart(bytes: Array(bytes))], frames: nil)
    }
}

extension [UInt8] {
    fileprivate func replacing(_ position: Int, with byte: UInt8) -> [UInt8] {
        var bytes = self
        bytes[position] = byte
        return bytes
    }
}
