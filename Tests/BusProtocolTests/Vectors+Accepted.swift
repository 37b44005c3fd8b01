import BusProtocol
import SwiftProtobuf
import TaskTree

/// The catalogue behind `Protocol/vectors`.
enum Vectors {
    static let all = accepted + rejected

    static let accepted =
        reports + clientFrames + brokerFrames + updates + acceptedDetached
        + acceptedAccess + acceptedBounds + acceptedSearch + acceptedFleet

    private static let reports: [VectorCase] = [
        .accepted(
            "report-amounts",
            Samples.report {
                $0.amountIndex = [1, 2]
                $0.completed = [3, 40]
                $0.total = [-1, 100]
                $0.detailIndex = [2]
                $0.detail = ["IMG_0041.jpg"]
            },
            "The common report: two tasks have moved, one of them has no total, one says a detail."
        ),
        .accepted(
            "report-empty",
            Samples.report { $0.sequence = 7 },
            "A report that has become empty, as its tasks have changed back: only its sequence counts."
        ),
        .accepted(
            "report-begin",
            Samples.report {
                $0.sequence = 1
                $0.descriptions = [Samples.job, Samples.child, Samples.ticket]
                $0.amountIndex = [1, 2]
                $0.completed = [0, 0]
                $0.total = [4, 100]
                $0.clockIndex = [1, 2]
                $0.elapsed = [0, 0]
                $0.active = [0, 0]
                $0.sinceAdvance = [0, 0]
            },
            "A job, a child with every field and a ticket have begun since the last tick."
        ),
        .accepted(
            "report-keyframe-last",
            Samples.report {
                $0.keyframe = 2
                $0.keyframeChunk = 3
                $0.keyframeLast = true
                $0.descriptions = [Samples.child]
                $0.amountIndex = [2]
                $0.completed = [40]
                $0.total = [100]
                $0.clockIndex = [2]
                $0.elapsed = [61_000]
                $0.active = [60_000]
                $0.sinceAdvance = [12]
                $0.states = [
                    .with {
                        $0.index = 2
                        $0.state = .paused
                    }
                ]
                $0.folds = [Samples.fold]
            },
            "The fourth and last chunk of the session's second keyframe, with a paused task."
        ),
        .accepted(
            "report-redeemer-log-probe",
            Samples.report {
                $0.descriptions = [Samples.redeemer]
                $0.logs = [Samples.logLine]
                $0.probe = 99
            },
            "The redeemer of another session's ticket, a log line, and a probe of the sockets."
        ),
        .accepted(
            "report-at-the-limits",
            Samples.report {
                $0.descriptions = [
                    .with {
                        $0.index = .max
                        $0.parent = Samples.task(.max)
                        $0.title = String(repeating: "é", count: 100)
                        $0.share = 1 << 48
                        $0.expectedChildren = .max
                        $0.expectedGap = 1e9
                        $0.begun = 253_402_300_799
                    }
                ]
                $0.amountIndex = [.max]
                $0.completed = [.max]
                $0.total = [0]
            },
            "Greatest numbers and a title of exactly 200 bytes of UTF-8 (100 characters)."
        ),
        .accepted(
            "report-begun",
            Samples.report {
                $0.descriptions = [
                    .with {
                        $0.index = 1
                        $0.title = "Back up photos"
                        $0.begun = Samples.time - 12.345678
                    }
                ]
                $0.clockIndex = [1]
                $0.elapsed = [12_345]
                $0.active = [12_345]
                $0.sinceAdvance = [12_345]
            },
            "A job that began while no broker was there: viewers are shown the time its owner says."
        ),
        .accepted(
            "report-unknown-state-and-style",
            Samples.report {
                $0.states = [
                    .with {
                        $0.index = 2
                        $0.state = .UNRECOGNIZED(77)
                    }
                ]
                $0.descriptions = [
                    .with {
                        $0.index = 2
                        $0.style = .UNRECOGNIZED(9)
                    }
                ]
            },
            "Enum values of a newer minor version: the state counts as running, the style as a bar."
        ),
    ]

    private static let clientFrames: [VectorCase] = [
        .accepted(
            "client-hello",
            Samples.client(
                .hello(
                    .with {
                        $0.session = Samples.session.rawValue
                        $0.process = Samples.process
                        $0.client = "backup 3.1, progressbus 0.1.0"
                    }
                )
            ),
            "A worker says who it is; the answer is welcome or a refusal."
        ),
        .accepted(
            "client-heartbeat",
            Samples.client(.heartbeat(.with { $0.sequence = 7 })),
            "Nothing else was sent for a while."
        ),
        .accepted(
            "client-endings",
            Samples.client(.endings(Samples.endings)),
            "A failed task with its whole final row, and a fold; answered once journalled."
        ),
        .accepted(
            "client-sync",
            Samples.client(
                .sync(
                    .with {
                        $0.request = 5
                        $0.sequence = 7
                    }
                )
            ),
            "Answer when the report with sequence 7 is in."
        ),
        .accepted(
            "client-redeem",
            Samples.client(
                .redeem(
                    .with {
                        $0.index = 1
                        $0.ticket = Samples.task(3, of: Samples.other)
                        $0.known = .with {
                            $0.index = 1
                            $0.kind = .holder
                            $0.task = Samples.task(3, of: Samples.other)
                            $0.attempt = 2
                        }
                    }
                )
            ),
            "Task 1 redeems a ticket; an earlier broker had made it attempt 2."
        ),
        .accepted(
            "client-goodbye",
            Samples.client(.goodbye(.with { $0.sequence = 9 })),
            "Report 9 was the last one."
        ),
        .accepted(
            "client-snapshot",
            Samples.client(
                .snapshot(
                    .with {
                        $0.request = 6
                        $0.topic = "children/1-028q5cu4qnjff/0/"
                        $0.cursorBytes = Array("3:256".utf8)
                        $0.maxRows = 100
                    }
                )
            ),
            "The next chunk of the first 256 places below task 1-028q5cu4qnjff."
        ),
        .accepted(
            "client-find",
            Samples.client(
                .find(
                    .with {
                        $0.request = 7
                        $0.text = "key:nightly"
                    }
                )
            ),
            "Which task is this?"
        ),
        .accepted(
            "client-command",
            Samples.client(
                .command(
                    .with {
                        $0.request = 8
                        $0.verb = .cancel
                        $0.target = Samples.task(1)
                        $0.timeout = 5_000
                    }
                )
            ),
            "Cancel the job; wait at most five seconds for those who work on it."
        ),
        .accepted(
            "client-command-answer",
            Samples.client(
                .commandAnswer(
                    .with {
                        $0.delivery = 12
                        $0.outcome = .refused
                        $0.text = "The last step cannot be taken back."
                    }
                )
            ),
            "A worker's answer to a command that was delivered to it."
        ),
        .accepted(
            "client-probe",
            Samples.client(.probe(.with { $0.request = 9 })),
            "Is the control socket alive? Needs no hello."
        ),
        .accepted(
            "client-kind-of-a-newer-minor",
            Samples.client(.probe(.with { $0.request = 9 })).replacingBody(
                // Field 100 of the frame, a message with one varint in it.
                with: [0xa2, 0x06, 0x02, 0x08, 0x01]
            ),
            "A body that this minor version does not know: accepted and ignored."
        ),
    ]

    private static let brokerFrames: [VectorCase] = [
        .accepted(
            "broker-refusal",
            Samples.broker(
                .refusal(
                    .with {
                        $0.code = RefusalCode.tooLong.rawValue
                        $0.sentence = "title has 300 bytes of UTF-8; at most 200 are allowed."
                        $0.request = 0
                        $0.major = 1
                        $0.minor = 0
                        $0.index = 2
                    }
                )
            ),
            "Something about task 2 was not accepted."
        ),
        .accepted(
            "broker-who",
            Samples.broker(.who(WireWho())),
            "The broker does not know the session: say hello."
        ),
        .accepted(
            "broker-welcome",
            Samples.broker(
                .welcome(
                    .with {
                        $0.version = "0.1.0"
                        $0.heartbeat = 1000
                        $0.tick = 50
                        $0.settling = true
                        $0.uptime = 0.25
                    }
                )
            ),
            "The answer to hello, from a broker that has just begun."
        ),
        .accepted(
            "broker-endings-journalled",
            Samples.broker(.endingsJournalled(.with { $0.sequence = 8 })),
            "The endings frame with sequence 8 is on disk."
        ),
        .accepted(
            "broker-sync-reached",
            Samples.broker(.syncReached(.with { $0.request = 5 })),
            "The reports that sync 5 named are in."
        ),
        .accepted(
            "broker-binding",
            Samples.broker(
                .binding(
                    .with {
                        $0.index = 1
                        $0.kind = .child
                        $0.task = Samples.task(3, of: Samples.other)
                    }
                )
            ),
            "Somebody else holds the ticket: the redeemer's task 1 is a child of its task."
        ),
        .accepted(
            "broker-places",
            Samples.broker(
                .places(
                    .with {
                        $0.index = [2, 3]
                        $0.place = [1, 2]
                        $0.cell = [1, 0]
                    }
                )
            ),
            "Tasks 2 and 3 are shown at places 1 and 2; task 3 has no cell."
        ),
        .accepted(
            "broker-goodbye-accepted",
            Samples.broker(.goodbyeAccepted(WireGoodbyeAccepted())),
            "Everything up to the goodbye is in."
        ),
        .accepted(
            "broker-snapshot",
            Samples.broker(
                .snapshot(
                    .with {
                        $0.request = 6
                        $0.topic = "children/1-028q5cu4qnjff/0/"
                        $0.sequence = 131_072
                        $0.rows = [Samples.row]
                        $0.cursorBytes = Array("3:512".utf8)
                        $0.time = Samples.time
                    }
                )
            ),
            "A chunk with one row; the cursor asks for the next one."
        ),
        .accepted(
            "broker-snapshot-states",
            Samples.broker(
                .snapshot(
                    .with {
                        $0.request = 10
                        $0.topic = "states/1-028q5cu4qnjff/0/"
                        $0.sequence = 131_072
                        $0.stateBytes = [0x02, 0x00, 0x46, 0x12]
                        $0.last = true
                        $0.time = Samples.time
                    }
                )
            ),
            "Cell 1 runs, cell 2 is empty, cell 3 has failed and needs attention, cell 4 is stalled."
        ),
        .accepted(
            "broker-found",
            Samples.broker(
                .found(
                    .with {
                        $0.request = 7
                        $0.tasks = [
                            .with {
                                $0.task = Samples.task(1)
                                $0.job = Samples.task(1)
                                $0.title = "Back up photos"
                                $0.key = "nightly"
                                $0.slot = 3
                            },
                            .with {
                                $0.task = Samples.task(9)
                                $0.job = Samples.task(1)
                                $0.title = "nightly"
                                $0.slot = 3
                                $0.path = [Samples.task(1), Samples.task(4)]
                                $0.place = [2, 300]
                            },
                        ]
                    }
                )
            ),
            "A job, and the child at place 300 of the child at its place 2."
        ),
        .accepted(
            "broker-command",
            Samples.broker(
                .command(
                    .with {
                        $0.delivery = 12
                        $0.verb = .cancel
                        $0.index = [1]
                    }
                )
            ),
            "Somebody wants the session's task 1 cancelled, and what is below it."
        ),
        .accepted(
            "broker-command-result",
            Samples.broker(
                .commandResult(
                    .with {
                        $0.request = 8
                        $0.session = Samples.session.rawValue
                        $0.process = Samples.process
                        $0.outcome = .accepted
                        $0.last = true
                        $0.asked = 1
                    }
                )
            ),
            "The only session that was asked has accepted."
        ),
        .accepted(
            "broker-probe",
            Samples.broker(.probe(.with { $0.request = 9 })),
            "The answer to a probe."
        ),
        .accepted(
            "broker-probe-fleet",
            Samples.broker(
                .probe(
                    .with {
                        $0.request = 9
                        $0.hosts = [
                            .with {
                                $0.name = "host-c"
                                $0.unheard = 1_800_000_000
                            },
                            .with { $0.name = "host-b" },
                        ]
                        $0.otherHosts = 3
                        $0.trouble = "NATS is not reached."
                    }
                )
            ),
            "A broker of a fleet names the other hosts, those first that it does not hear."
        ),
    ]

    private static let updates: [VectorCase] = [
        .accepted(
            "update-beat",
            Samples.update {
                $0.previous = 131_072
                $0.settling = true
            },
            "Nothing has changed since sequence 131072; the broker still settles."
        ),
        .accepted(
            "update-beat-unheard",
            Samples.update {
                $0.previous = 131_072
                $0.unheard = true
            },
            "Nothing is heard of the broker that has the topic's task."
        ),
        .accepted(
            "update-rows",
            Samples.update {
                $0.rows = [
                    Samples.row,
                    .with {
                        $0.task = Samples.task(3)
                        $0.sequence = 131_072
                        $0.progress = .with { $0.state = .waiting }
                    },
                ]
                $0.removed = [
                    .with {
                        $0.task = Samples.task(4)
                        $0.reason = "succeeded"
                    }
                ]
            },
            "A whole row, a row whose description is as before, and a task that left."
        ),
        .accepted(
            "update-totals",
            Samples.update { $0.totals = Samples.totals },
            "Topic totals/."
        ),
        .accepted(
            "update-attention",
            Samples.update {
                $0.attention = [Samples.task(2), Samples.task(1, of: Samples.other)]
            },
            "Topic attention/: the whole list."
        ),
        .accepted(
            "update-hosts",
            Samples.update {
                $0.hosts.hosts = [
                    .with {
                        $0.host = "render-1"
                        $0.counts.running = 2
                        $0.counts.failed = 1
                    },
                    .with {
                        $0.host = "render-2"
                        $0.counts.succeeded = 40
                    },
                ]
                $0.hosts.others.succeeded = 7
                $0.hosts.otherHosts = 3
                $0.hosts.partial = true
            },
            "Topic hosts/: the tasks below a job by host."
        ),
        .accepted(
            "update-log",
            Samples.update {
                $0.logs = [
                    .with {
                        $0.task = Samples.task(2)
                        $0.text = "IMG_0041.jpg has no date"
                        $0.time = Samples.time
                    }
                ]
            },
            "Topic log/…/: the lines that are new."
        ),
    ]
}

extension WireClientFrame {
    /// The credential and, in place of the body, other bytes.
    fileprivate func replacingBody(with bytes: [UInt8]) -> NewerFrame {
        NewerFrame(known: .with { $0.credential = credential }, extra: bytes)
    }
}

/// A frame of a newer minor version: what is known of it, and bytes behind it.
private struct NewerFrame {
    var known: WireClientFrame
    var extra: [UInt8]
}

extension VectorCase {
    fileprivate static func accepted(
        _ name: String,
        _ frame: NewerFrame,
        _ about: String
    ) -> VectorCase {
        VectorCase(
            name: name,
            kind: .client,
            about: about,
            frame: [FramePart(bytes: frame.known.frame + frame.extra)],
            expectation: .accepted(frame.known)
        )
    }
}
