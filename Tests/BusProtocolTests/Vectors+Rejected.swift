import BusProtocol
import SwiftProtobuf
import TaskTree

extension Vectors {
    static let rejected =
        headers + reports + descriptions + folds + clientFrames + brokerFrames + rejectedDetached
        + rejectedAccess + rejectedBounds + rejectedSearch + rejectedFleet

    private static let probe = Samples.client(.probe(.with { $0.request = 9 }))
    private static let oneTooMany = ProtocolLimits.clientFrameBytes + 1

    static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func changing(_ index: Int, to byte: UInt8) -> [FramePart] {
        var frame = probe.frame
        frame[index] = byte
        return [FramePart(bytes: frame)]
    }

    private static let headers: [VectorCase] = [
        .rejected(
            "header-short",
            .malformed,
            .client,
            [FramePart(bytes: Array(probe.frame.prefix(7)))],
            "Seven bytes: less than a header."
        ),
        .rejected("header-magic", .malformed, .client, changing(0, to: 0x51), "QBUS, not PBUS."),
        .rejected(
            "header-major",
            .wrongMajor,
            .client,
            changing(4, to: 2),
            "Major version 2 at a receiver of version 1."
        ),
        .rejected(
            "header-kind",
            .malformed,
            .client,
            changing(6, to: 1),
            "A report on the control socket."
        ),
        .rejected(
            "frame-too-large",
            .tooLarge,
            .client,
            [
                FramePart(bytes: probe.frame),
                FramePart(bytes: [0], times: oneTooMany - probe.frame.count),
            ],
            "65,537 bytes: one more than a frame may have."
        ),
        .rejected(
            "body-cut",
            .malformed,
            .client,
            [FramePart(bytes: Array(probe.frame.dropLast()))],
            "The last byte is missing."
        ),
        .rejected(
            "body-claims-more-than-there-is",
            .malformed,
            .client,
            [
                FramePart(
                    bytes: Array(probe.frame.prefix(8)) + [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]
                )
            ],
            "A credential of two gigabytes that is not there."
        ),
        .rejected(
            "text-not-utf8",
            .malformed,
            .client,
            [
                FramePart(
                    bytes: Samples.client(.find(.with { $0.request = 1 })).frame.dropLast(4)
                        + [0x4a, 0x05, 0x08, 0x01, 0x12, 0x01, 0xff]
                )
            ],
            "The text to find is the single byte ff."
        ),
        .rejected(
            "credential-client",
            .badCredential,
            WireClientFrame.with {
                $0.credentialBytes = Array(Samples.credential.dropLast())
                $0.probe.request = 9
            },
            "15 bytes."
        ),
    ]

    private static let reports: [VectorCase] = [
        .rejected(
            "credential-report",
            .badCredential,
            WireReport.with { $0.sequence = 1 },
            "No credential at all."
        ),
        .rejected(
            "report-sequence",
            .outOfRange,
            Samples.report { $0.sequence = 0 },
            "Sequences begin at 1."
        ),
        .rejected(
            "report-columns-amounts",
            .malformed,
            Samples.report {
                $0.amountIndex = [1, 2]
                $0.completed = [3]
                $0.total = [-1, 100]
            },
            "Two indices, one completed."
        ),
        .rejected(
            "report-columns-details",
            .malformed,
            Samples.report { $0.detail = ["x"] },
            "A detail of nobody."
        ),
        .rejected(
            "report-columns-clocks",
            .malformed,
            Samples.report {
                $0.clockIndex = [1]
                $0.elapsed = [1]
                $0.active = [1]
            },
            "since_advance is missing."
        ),
        .rejected(
            "report-index",
            .outOfRange,
            Samples.report {
                $0.amountIndex = [0]
                $0.completed = [3]
                $0.total = [-1]
            },
            "Tasks are numbered from 1."
        ),
        .rejected(
            "report-completed",
            .outOfRange,
            Samples.report {
                $0.amountIndex = [1]
                $0.completed = [-1]
                $0.total = [-1]
            },
            "completed is -1."
        ),
        .rejected(
            "report-total",
            .outOfRange,
            Samples.report {
                $0.amountIndex = [1]
                $0.completed = [0]
                $0.total = [-2]
            },
            "total is -2; only -1 stands for none."
        ),
        .rejected(
            "report-detail",
            .tooLong,
            Samples.report {
                $0.detailIndex = [1]
                $0.detail = [text(501)]
            },
            "501 bytes."
        ),
        .rejected(
            "report-clock",
            .outOfRange,
            Samples.report {
                $0.clockIndex = [1]
                $0.elapsed = [1 << 53 + 1]
                $0.active = [1]
                $0.sinceAdvance = [1]
            },
            "elapsed is beyond 2^53 milliseconds."
        ),
        .rejected(
            "report-state-ended",
            .malformed,
            Samples.report {
                $0.states = [
                    .with {
                        $0.index = 1
                        $0.state = .succeeded
                    }
                ]
            },
            "An ending in a report: it would never be acknowledged."
        ),
        .rejected(
            "report-chunk-without-keyframe",
            .malformed,
            Samples.report { $0.keyframeLast = true },
            "The last chunk of keyframe 0."
        ),
        .rejected(
            "report-fold-without-keyframe",
            .malformed,
            Samples.report { $0.folds = [Samples.fold] },
            "A fold in a report that is no chunk of a keyframe."
        ),
        .rejected(
            "report-log-text",
            .tooLong,
            Samples.report {
                $0.logs = [
                    .with {
                        $0.task = Samples.own(1)
                        $0.text = text(1001)
                    }
                ]
            },
            "1,001 bytes."
        ),
        .rejected(
            "report-log-task",
            .malformed,
            Samples.report { $0.logs = [.with { $0.text = "x" }] },
            "A log line of no task."
        ),
        .rejected(
            "report-too-many",
            .tooMany,
            .report,
            [
                FramePart(bytes: Samples.report { _ in }.frame),
                // A description with index 1 and nothing else.
                FramePart(
                    bytes: [0xa2, 0x01, 0x02, 0x08, 0x01],
                    times: ProtocolLimits.listItems + 1
                ),
            ],
            "1,025 descriptions."
        ),
    ]

    private static func description(
        _ name: String,
        _ code: RefusalCode,
        _ about: String,
        _ change: (inout WireDescription) -> Void
    ) -> VectorCase {
        var description = WireDescription.with {
            $0.index = 2
            $0.parent = Samples.own(1)
        }
        change(&description)
        return .rejected(
            "description-" + name,
            code,
            Samples.report { $0.descriptions = [description] },
            about
        )
    }

    private static let descriptions: [VectorCase] = [
        description("index", .outOfRange, "Index 0.") { $0.index = 0 },
        description("parent", .outOfRange, "A parent with index 0.") { $0.parent = WireTaskRef() },
        description("ticket-and-parent", .malformed, "Both ticket and parent.") {
            $0.ticket = Samples.task(3, of: Samples.other)
        },
        description("ticket-without-parent", .malformed, "is_ticket without a parent.") {
            $0.clearParent()
            $0.isTicket = true
        },
        description("title", .tooLong, "201 bytes in 101 characters.") {
            $0.title = String(repeating: "é", count: 100) + "x"
        },
        description("unit", .tooLong, "51 bytes.") { $0.unit = text(51) },
        description("key", .tooLong, "201 bytes.") { $0.key = text(201) },
        description("tint", .tooLong, "21 bytes.") { $0.tint = text(21) },
        description("consequence", .tooLong, "501 bytes.") { $0.consequence = text(501) },
        description("task-host", .tooLong, "256 bytes.") { $0.host = text(256) },
        description("share-negative", .outOfRange, "-1.") { $0.share = -1 },
        description("share-great", .outOfRange, "2^48 + 1.") { $0.share = 1 << 48 + 1 },
        description("expected-children", .outOfRange, "-1.") { $0.expectedChildren = -1 },
        description("expected-gap", .outOfRange, "Not a number.") { $0.expectedGap = .nan },
        description("expected-gap-negative", .outOfRange, "-0.5 s.") { $0.expectedGap = -0.5 },
        description("begun", .outOfRange, "Not a number.") { $0.begun = .nan },
        description("begun-infinite", .outOfRange, "Infinite.") { $0.begun = .infinity },
        description("begun-great", .outOfRange, "The first second of the year 10000.") {
            $0.begun = 253_402_300_800
        },
        description("begun-negative", .outOfRange, "A second before 1970.") { $0.begun = -1 },
        description("place", .outOfRange, "2^31.") { $0.place = 1 << 31 },
    ]

    private static func fold(
        _ name: String,
        _ code: RefusalCode,
        _ about: String,
        _ change: (inout WireFold) -> Void
    ) -> VectorCase {
        var fold = Samples.fold
        change(&fold)
        return .rejected(
            "fold-" + name,
            code,
            Samples.client(
                .endings(
                    .with {
                        $0.sequence = 8
                        $0.folds = [fold]
                    }
                )
            ),
            about
        )
    }

    private static let folds: [VectorCase] = [
        fold("parent", .malformed, "No parent.") { $0.clearParent() },
        fold("count", .outOfRange, "2^40 + 1 succeeded.") { $0.succeeded = 1 << 40 + 1 },
        fold("share", .outOfRange, "2^63.") { $0.share = 1 << 63 },
        fold("weighted", .outOfRange, "More than share times 2^50.") { $0.share = 1004 },
        fold("weighted-negative", .outOfRange, "The highest bit of 128 is set.") {
            $0.weightedHigh = 1 << 63
        },
        fold("unit", .tooLong, "A unit of 51 bytes.") { $0.sums[0].unit = text(51) },
        fold("sum", .outOfRange, "A negative sum.") { $0.sums[0].completed = -1 },
        fold("removed", .outOfRange, "Index 0 in removed.") { $0.removed = [4, 0] },
    ]

    static func client(
        _ name: String,
        _ code: RefusalCode,
        _ about: String,
        _ body: WireClientFrame.OneOf_Body
    ) -> VectorCase {
        .rejected("client-" + name, code, Samples.client(body), about)
    }

    private static func hello(_ change: (inout WireHello) -> Void) -> WireClientFrame.OneOf_Body {
        var hello = WireHello.with {
            $0.session = Samples.session.rawValue
            $0.process.pid = 1
        }
        change(&hello)
        return .hello(hello)
    }

    private static func ending(
        _ change: (inout WireEnding) -> Void
    ) -> WireClientFrame.OneOf_Body {
        var ending = WireEnding.with {
            $0.description_p.index = 2
            $0.state = .failed
        }
        change(&ending)
        return .endings(
            .with {
                $0.sequence = 8
                $0.endings = [ending]
            }
        )
    }

    private static let clientFrames: [VectorCase] = [
        client("hello-session", .outOfRange, "Session 0.", hello { $0.session = 0 }),
        client("hello-host", .tooLong, "256 bytes.", hello { $0.process.host = text(256) }),
        client("hello-pid", .outOfRange, "pid -1.", hello { $0.process.pid = -1 }),
        client(
            "hello-command",
            .tooLong,
            "501 bytes.",
            hello { $0.process.command = text(501) }
        ),
        client(
            "hello-boot-id",
            .tooLong,
            "101 bytes.",
            hello { $0.process.bootID = text(101) }
        ),
        client("hello-client", .tooLong, "201 bytes.", hello { $0.client = text(201) }),
        client("endings-sequence", .outOfRange, "Sequence 0.", .endings(WireEndings())),
        client(
            "ending-without-row",
            .malformed,
            "No description.",
            ending { $0.clearDescription_p() }
        ),
        client("ending-reason", .tooLong, "501 bytes.", ending { $0.reason = text(501) }),
        client("ending-total", .outOfRange, "-2.", ending { $0.total = -2 }),
        client("ending-time", .outOfRange, "Infinite.", ending { $0.time = .infinity }),
        client("sync-request", .outOfRange, "Request 0.", .sync(WireSync())),
        client("redeem-ticket", .malformed, "No ticket.", .redeem(.with { $0.index = 1 })),
        client(
            "snapshot-topic",
            .unknownTopic,
            "A topic without the slash at its end.",
            .snapshot(
                .with {
                    $0.request = 1
                    $0.topic = "totals"
                }
            )
        ),
        client(
            "snapshot-topic-length",
            .tooLong,
            "201 bytes.",
            .snapshot(
                .with {
                    $0.request = 1
                    $0.topic = text(201)
                }
            )
        ),
        client(
            "snapshot-cursor",
            .tooLong,
            "65 bytes.",
            .snapshot(
                .with {
                    $0.request = 1
                    $0.topic = "totals/"
                    $0.cursorBytes = [UInt8](repeating: 1, count: 65)
                }
            )
        ),
        client(
            "find-text",
            .tooLong,
            "257 bytes.",
            .find(
                .with {
                    $0.request = 1
                    $0.text = text(257)
                }
            )
        ),
        client(
            "command-target",
            .malformed,
            "No target.",
            .command(
                .with {
                    $0.request = 1
                    $0.verb = .cancel
                }
            )
        ),
        client(
            "command-timeout",
            .outOfRange,
            "Ten minutes and a millisecond.",
            .command(
                .with {
                    $0.request = 1
                    $0.verb = .cancel
                    $0.target = Samples.own(1)
                    $0.timeout = 600_001
                }
            )
        ),
        client(
            "answer-text",
            .tooLong,
            "501 bytes.",
            .commandAnswer(
                .with {
                    $0.delivery = 1
                    $0.text = text(501)
                }
            )
        ),
    ]

    private static let brokerFrames: [VectorCase] = [
        .rejected(
            "broker-epoch",
            .outOfRange,
            WireBrokerFrame.with { $0.who = WireWho() },
            "Epoch 0."
        ),
        .rejected(
            "broker-welcome-heartbeat",
            .outOfRange,
            Samples.broker(.welcome(.with { $0.tick = 50 })),
            "A heartbeat every 0 ms."
        ),
        .rejected(
            "broker-refusal-sentence",
            .tooLong,
            Samples.broker(.refusal(.with { $0.sentence = text(1001) })),
            "1,001 bytes."
        ),
        .rejected(
            "broker-binding-attempt",
            .outOfRange,
            Samples.broker(
                .binding(
                    .with {
                        $0.index = 1
                        $0.kind = .holder
                        $0.task = Samples.task(3)
                    }
                )
            ),
            "A holder with attempt 0."
        ),
        .rejected(
            "broker-places",
            .malformed,
            Samples.broker(.places(.with { $0.index = [1] })),
            "An index without place and cell."
        ),
        .rejected(
            "broker-found-path",
            .malformed,
            Samples.broker(
                .found(
                    .with {
                        $0.request = 7
                        $0.tasks = [
                            .with {
                                $0.task = Samples.task(2)
                                $0.path = [Samples.task(1)]
                            }
                        ]
                    }
                )
            ),
            "A path without the places along it."
        ),
        .rejected(
            "broker-states",
            .tooLong,
            .broker,
            [
                FramePart(
                    bytes: Samples.broker(.who(WireWho())).frame.dropLast(2)
                        // Field 10, a snapshot of 4,102 bytes: request 1, then 4,097 bytes of states.
                        + [0x52, 0x86, 0x20, 0x08, 0x01, 0x4a, 0x81, 0x20]
                ),
                FramePart(bytes: [2], times: 4097),
            ],
            "4,097 cells."
        ),
        .rejected(
            "row-session",
            .outOfRange,
            Samples.update { $0.rows = [.with { $0.task = Samples.own(1) }] },
            "Session 0 in what a viewer sees."
        ),
        .rejected(
            "row-display-fraction",
            .outOfRange,
            Samples.update {
                $0.rows = [
                    .with {
                        $0.task = Samples.task(1)
                        $0.progress.displayFraction = 1.5
                    }
                ]
            },
            "display_fraction is 1.5."
        ),
        .rejected(
            "row-depth",
            .outOfRange,
            Samples.update {
                $0.rows = [
                    .with {
                        $0.task = Samples.task(1)
                        $0.description_p.depth = 65
                    }
                ]
            },
            "depth is 65."
        ),
        .rejected(
            "update-attention",
            .tooMany,
            .update,
            [
                FramePart(bytes: Samples.update { _ in }.frame),
                FramePart(
                    bytes: [0x4a, 0x0b, 0x08, 0x02, 0x11] + [0xef, 0xcd, 0xab, 0x89]
                        + [0x67, 0x45, 0x23, 0x01],
                    times: 1001
                ),
            ],
            "1,001 tasks that need attention."
        ),
        .rejected(
            "update-removed",
            .malformed,
            Samples.update { $0.removed = [.with { $0.reason = "succeeded" }] },
            "Nobody was removed."
        ),
    ]
}
