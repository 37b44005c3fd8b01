import BusProtocol
import SwiftProtobuf
import TaskTree

/// What is just allowed, and what is just too much.
extension Vectors {
    static let acceptedBounds: [VectorCase] = [
        .accepted(
            "client-ending-without-total",
            Samples.client(
                .endings(
                    .with {
                        $0.sequence = 8
                        $0.endings = [ending { $0.completed = 3 }]
                    }
                )
            ),
            "A task that had no total has failed: total is left out, which says the same as -1."
        ),
        .accepted(
            "client-ending-nothing-to-do",
            Samples.client(
                .endings(
                    .with {
                        $0.sequence = 8
                        $0.endings = [
                            ending {
                                $0.total = 0
                                $0.time = ProtocolLimits.maxUnixTime
                            }
                        ]
                    }
                )
            ),
            "A total of 0 is written: nothing to do, a fraction of 1. The time is the latest allowed."
        ),
        .accepted(
            "client-redeem-last-attempt",
            Samples.client(.redeem(.with(attempt: ProtocolLimits.maxAttempt))),
            "An earlier broker had made it the last attempt that a ticket has."
        ),
        .accepted(
            "broker-command-redeemer",
            Samples.broker(
                .command(
                    .with {
                        $0.delivery = 3
                        $0.verb = .cancel
                        $0.index = [1]
                    }
                )
            ),
            "To who has redeemed, under index 1, the ticket 3 of another session: its own index."
        ),
    ]

    static let rejectedBounds: [VectorCase] = [
        client(
            "redeem-attempt",
            .outOfRange,
            "An earlier broker is said to have made it attempt 10,001.",
            .redeem(.with(attempt: ProtocolLimits.maxAttempt + 1))
        ),
        .rejected(
            "header-major-refusal",
            .wrongMajor,
            .broker,
            otherMajor(
                Samples.broker(
                    .refusal(
                        .with {
                            $0.code = RefusalCode.wrongMajor.rawValue
                            $0.sentence =
                                "This broker speaks version 2.0, and the frame was of 1.0."
                            $0.major = 2
                        }
                    )
                ).frame
            ),
            "A broker of major version 2 refuses: its sentence can be read, as the layout is the same."
        ),
        .rejected(
            "broker-binding-attempts",
            .outOfRange,
            Samples.broker(
                .binding(WireRedeem.with(attempt: ProtocolLimits.maxAttempt + 1).known)
            ),
            "A holder with attempt 10,001."
        ),
        client(
            "ending-year-10000",
            .outOfRange,
            "A second after the year 9999.",
            .endings(
                .with {
                    $0.sequence = 8
                    $0.endings = [ending { $0.time = ProtocolLimits.maxUnixTime + 1 }]
                }
            )
        ),
        .rejected(
            "report-log-time",
            .outOfRange,
            Samples.report {
                var line = Samples.logLine
                line.time = -1
                $0.logs = [line]
            },
            "A second before 1970."
        ),
        client(
            "fold-sums",
            .tooMany,
            "Sums of 17 units.",
            .endings(
                .with {
                    $0.sequence = 8
                    $0.folds = [Samples.fold]
                    $0.folds[0].sums = (1...17).map { number in
                        .with {
                            $0.unit = "unit \(number)"
                            $0.completed = 1
                            $0.total = 1
                        }
                    }
                }
            )
        ),
        .rejected(
            "report-fold-removed",
            .tooMany,
            .report,
            [
                FramePart(bytes: Samples.report { $0.keyframe = 1 }.frame),
                // A fold: its parent is task 1, and it names three indices, all of them 1.
                FramePart(
                    bytes: [0xb2, 0x01, 9, 0x0a, 2, 0x08, 1, 0x4a, 3, 1, 1, 1],
                    times: ProtocolLimits.removedIndices / 3 + 1
                ),
            ],
            "Folds that name 4,098 indices together."
        ),
        .rejected(
            "update-counts",
            .outOfRange,
            Samples.update {
                var row = Samples.row
                row.progress.counts.succeeded = ProtocolLimits.maxCount + 1
                $0.rows = [row]
            },
            "2^53 + 1 children have succeeded."
        ),
    ]

    private static func otherMajor(_ frame: [UInt8]) -> [FramePart] {
        [FramePart(bytes: Array(frame[..<4]) + [2] + frame[5...])]
    }

    private static func ending(_ fill: (inout WireEnding) -> Void) -> WireEnding {
        .with {
            $0.description_p.index = 2
            $0.state = .failed
            fill(&$0)
        }
    }
}

extension WireRedeem {
    /// Task 1 redeems a ticket that it is said to have held before.
    fileprivate static func with(attempt: UInt32) -> WireRedeem {
        .with {
            $0.index = 1
            $0.ticket = Samples.task(3, of: Samples.other)
            $0.known.index = 1
            $0.known.kind = .holder
            $0.known.task = Samples.task(3, of: Samples.other)
            $0.known.attempt = attempt
        }
    }
}
