import BusProtocol
import SwiftProtobuf
import TaskTree

/// What the bridge of a fleet says.
extension Vectors {
    static let acceptedFleet: [VectorCase] = [
        .accepted(
            "client-fleet-pages",
            Samples.client(
                .fleetPages(
                    .with {
                        $0.pages = [3, 0, 1_048_575]
                        $0.trouble = "NATS is not reached."
                    }
                )
            ),
            "The jobs of this broker are on three pages of the board."
        ),
        .accepted(
            "client-fleet-rows",
            Samples.client(
                .fleetRows(
                    .with {
                        $0.broker = 7
                        $0.host = "tower"
                        $0.rows = [job(slot: 67_108_864)]
                        $0.removed = [Samples.task(9)]
                        $0.unheard = Samples.time
                    }
                )
            ),
            "A job of another broker in the highest slot, one that has left, and no word since."
        ),
        .accepted(
            "fleet-record-job",
            WireFleetRecord.with {
                $0.broker = 7
                $0.life = 1_700_000_000_000
                $0.sequence = 3
                $0.host = "tower"
                $0.time = Samples.time
                $0.row = job(slot: 65)
            },
            "What one bridge says of a slot to the others."
        ),
        .accepted(
            "client-fleet-answer",
            Samples.client(
                .fleetAnswer(
                    .with {
                        $0.broker = 7
                        $0.commandResult.request = 4
                        $0.commandResult.outcome = .accepted
                        $0.commandResult.asked = 1
                        $0.commandResult.last = true
                    }
                )
            ),
            "What has become of a command to a task of another broker."
        ),
        .accepted(
            "broker-fleet-question",
            Samples.broker(
                .fleetQuestion(
                    .with {
                        $0.broker = 8
                        $0.command.request = 4
                        $0.command.verb = .cancel
                        $0.command.target = Samples.task(9)
                        $0.command.timeout = 10_000
                    }
                )
            ),
            "A bridge is to ask another broker to cancel a task."
        ),
        .accepted(
            "client-fleet-answer-detached",
            Samples.client(
                .fleetAnswer(
                    .with {
                        $0.broker = 7
                        $0.number = 4
                        $0.detached.requestIDBytes = Array(1...16)
                        $0.detached.task = Samples.task(9)
                    }
                )
            ),
            "Another broker has carried out what a script here said of a task there."
        ),
        .accepted(
            "broker-fleet-question-detached",
            Samples.broker(
                .fleetQuestion(
                    .with {
                        $0.broker = 8
                        $0.number = 4
                        $0.detached.requestIDBytes = Array(1...16)
                        $0.detached.advance.task = Samples.task(9)
                        $0.detached.advance.by = 3
                    }
                )
            ),
            "A bridge is to pass on what a script says of a task of another broker."
        ),
        .accepted(
            "fleet-record-question",
            WireFleetRecord.with {
                $0.broker = 7
                $0.question.broker = 8
                $0.question.snapshot.request = 4
                let job = TaskID(index: 1, session: SessionID(rawValue: 9))
                $0.question.snapshot.topic = Topic.job(job).name
                $0.question.snapshot.maxBytes = 49_152
            },
            "One bridge asks another for a job with everything below it."
        ),
        .accepted(
            "client-fleet-session",
            Samples.client(.fleetSession(session)),
            "A worker at another broker says hello here."
        ),
        .accepted(
            "broker-fleet-session",
            Samples.broker(.fleetSession(session)),
            "A bridge is to carry a worker's hello to another broker."
        ),
        .accepted(
            "fleet-record-session",
            WireFleetRecord.with {
                $0.broker = 7
                $0.session = session
            },
            "A worker's hello between the bridges."
        ),
        .accepted(
            "fleet-record-question-all",
            WireFleetRecord.with {
                $0.broker = 7
                $0.question.find.request = 5
                $0.question.find.text = "owner:0000000000000009.1"
            },
            "All brokers are asked for a task."
        ),
        .accepted(
            "client-endings-part",
            Samples.client(
                .endings(
                    .with {
                        $0.sequence = 3
                        $0.endings = [
                            .with {
                                $0.description_p.index = 1
                                $0.description_p.ticket = Samples.task(9)
                                $0.completed = 1
                            }
                        ]
                        $0.folds = [
                            .with {
                                $0.parent = Samples.own(1)
                                $0.below = Samples.partBelow
                                $0.share = 4
                            }
                        ]
                    }
                )
            ),
            "A part of another broker's job, with four tasks below it of which none has ended."
        ),
    ]

    private static let session = WireFleetSession.with {
        $0.broker = 8
        $0.session = 9
        $0.frameBytes = Frame.encode(
            WireClientFrame.with {
                $0.credentialBytes = Array(repeating: 3, count: 16)
                $0.hello.session = 9
            }
        )
    }

    static let rejectedFleet: [VectorCase] = [
        client(
            "fleet-pages-twice",
            .malformed,
            "Page 3 is named twice.",
            .fleetPages(.with { $0.pages = [3, 0, 3] })
        ),
        client(
            "fleet-page",
            .outOfRange,
            "Page 1048576.",
            .fleetPages(.with { $0.pages = [1_048_576] })
        ),
        client(
            "fleet-pages-too-many",
            .tooMany,
            "1025 pages.",
            .fleetPages(.with { $0.pages = Array(0...1_024) })
        ),
        client(
            "fleet-rows-nobody",
            .outOfRange,
            "Of broker 0.",
            .fleetRows(.with { $0.host = "tower" })
        ),
        client(
            "fleet-rows-no-slot",
            .malformed,
            "A job without a slot.",
            rows {
                $0 = job(slot: 1)
                $0.description_p.clearSlot()
            }
        ),
        client(
            "fleet-rows-slot",
            .malformed,
            "A slot behind the last page.",
            rows { $0 = job(slot: 67_108_865) }
        ),
        client(
            "fleet-rows-child",
            .malformed,
            "A task below another.",
            rows {
                $0 = job(slot: 1)
                $0.description_p.parent = Samples.task(2)
            }
        ),
        client(
            "fleet-rows-own",
            .outOfRange,
            "A task of no session.",
            rows {
                $0 = job(slot: 1)
                $0.task = Samples.own(1)
            }
        ),
        client(
            "fleet-rows-too-many",
            .tooMany,
            "257 jobs that have left.",
            .fleetRows(
                .with {
                    $0.broker = 7
                    $0.removed = (1...257).map { Samples.task($0) }
                }
            )
        ),
        client(
            "fleet-answer-nobody",
            .outOfRange,
            "Of broker 0.",
            .fleetAnswer(.with { $0.found.request = 4 })
        ),
        client(
            "fleet-session-nobody",
            .outOfRange,
            "Of session 0.",
            .fleetSession(.with { $0.broker = 7 })
        ),
        .rejected(
            "fleet-record-question-request",
            .outOfRange,
            WireFleetRecord.with {
                $0.broker = 7
                $0.question.broker = 8
                $0.question.find.text = "1"
            },
            "A question without a number."
        ),
        .rejected(
            "fleet-record-nobody",
            .outOfRange,
            WireFleetRecord.with { $0.host = "tower" },
            "Of broker 0."
        ),
        .rejected(
            "fleet-record-no-slot",
            .malformed,
            WireFleetRecord.with {
                $0.broker = 7
                $0.row = job(slot: 1)
                $0.row.description_p.clearSlot()
            },
            "A job without a slot."
        ),
    ]

    private static func job(slot: UInt32) -> WireRow {
        .with {
            $0.task = Samples.task(1)
            $0.description_p.title = "Backup"
            $0.description_p.slot = slot
            $0.description_p.process = Samples.process
            $0.progress.state = .running
            $0.progress.completed = 3
        }
    }

    private static func rows(_ fill: (inout WireRow) -> Void) -> WireClientFrame.OneOf_Body {
        .fleetRows(
            .with {
                $0.broker = 7
                var row = WireRow()
                fill(&row)
                $0.rows = [row]
            }
        )
    }
}
