import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

/// Every number of section 5.1 of the document: one below it and the number itself are taken, one
/// above is refused by a sentence that names it.
@Suite("Limits of frames") struct LimitTests {
    /// A message that has so much of what is limited.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var limit: UInt64
        var code: RefusalCode
        var message: @Sendable (UInt64) -> any VectorMessage
    }

    @Test(
        "one below, at and one above a limit",
        arguments: texts + lists + folded + numbers + times
    )
    func limits(_ limited: Case) {
        for amount in [limited.limit - 1, limited.limit] {
            let message = limited.message(amount)
            #expect(throws: Never.self, "\(amount)") {
                _ = try VectorCase.decode(message.frame, as: message.kind)
            }
        }
        let (above, isTooMuch) = limited.limit.addingReportingOverflow(1)
        #expect(!isTooMuch)
        let message = limited.message(above)
        do {
            _ = try VectorCase.decode(message.frame, as: message.kind)
            Issue.record("\(above) is taken")
        } catch {
            #expect(error.code == limited.code)
            #expect(error.sentence.contains("\(limited.limit)"), "\(error.sentence)")
        }
    }

    // MARK: - Texts

    private static func text(
        _ name: String,
        _ limit: Int,
        _ message: @escaping @Sendable (String) -> any VectorMessage
    ) -> Case {
        Case(testDescription: name, limit: UInt64(limit), code: .tooLong) { amount in
            message(String(repeating: "x", count: Int(amount)))
        }
    }

    private static func description(
        _ fill: @escaping @Sendable (inout WireDescription, String) -> Void
    ) -> @Sendable (String) -> any VectorMessage {
        { text in
            var description = Samples.job
            fill(&description, text)
            return Samples.report { [description] in $0.descriptions = [description] }
        }
    }

    private static func hello(
        _ fill: @escaping @Sendable (inout WireHello, String) -> Void
    ) -> @Sendable (String) -> any VectorMessage {
        { text in
            var hello = WireHello()
            hello.session = 1
            hello.process = Samples.process
            fill(&hello, text)
            return Samples.client(.hello(hello))
        }
    }

    private static func row(
        _ fill: @escaping @Sendable (inout WireRow, String) -> Void
    ) -> @Sendable (String) -> any VectorMessage {
        { text in
            var row = Samples.row
            fill(&row, text)
            return Samples.update { [row] in $0.rows = [row] }
        }
    }

    static let texts: [Case] = [
        text("title", ProtocolLimits.titleBytes, description { $0.title = $1 }),
        text("unit", ProtocolLimits.unitBytes, description { $0.unit = $1 }),
        text("key", ProtocolLimits.keyBytes, description { $0.key = $1 }),
        text("tint", ProtocolLimits.tintBytes, description { $0.tint = $1 }),
        text("consequence", ProtocolLimits.consequenceBytes, description { $0.consequence = $1 }),
        text("host of a task", ProtocolLimits.hostBytes, description { $0.host = $1 }),
        text("host", ProtocolLimits.hostBytes, hello { $0.process.host = $1 }),
        text("command", ProtocolLimits.commandBytes, hello { $0.process.command = $1 }),
        text("boot_id", ProtocolLimits.machineBytes, hello { $0.process.bootID = $1 }),
        text("pid_namespace", ProtocolLimits.machineBytes, hello { $0.process.pidNamespace = $1 }),
        text("client", ProtocolLimits.clientBytes, hello { $0.client = $1 }),
        text("shown key", ProtocolLimits.shownKeyBytes, row { $0.description_p.key = $1 }),
        text("note", ProtocolLimits.noteBytes, row { $0.progress.note = $1 }),
        text("reason", ProtocolLimits.reasonBytes, row { $0.progress.reason = $1 }),
        text("detail of a row", ProtocolLimits.detailBytes, row { $0.progress.detail = $1 }),
        text("detail", ProtocolLimits.detailBytes) { text in
            Samples.report {
                $0.detailIndex = [1]
                $0.detail = [text]
            }
        },
        text("reason of an ending", ProtocolLimits.reasonBytes) { text in
            var endings = Samples.endings
            endings.endings[0].reason = text
            return Samples.client(.endings(endings))
        },
        text("log line", ProtocolLimits.logBytes) { text in
            var line = Samples.logLine
            line.text = text
            return Samples.report { [line] in $0.logs = [line] }
        },
        text("text to find", ProtocolLimits.findBytes) { text in
            Samples.client(
                .find(
                    .with {
                        $0.request = 1
                        $0.text = text
                    }
                )
            )
        },
        text("filter of a search", ProtocolLimits.filterBytes) { text in
            Samples.client(
                .find(
                    .with {
                        $0.request = 1
                        $0.search.filter = text
                        $0.search.job = Samples.task(1)
                    }
                )
            )
        },
        text("parent of a detached task", ProtocolLimits.findBytes) { text in
            Samples.detached { $0.begin.parent = text }
        },
        text("detail of a detached task", ProtocolLimits.detailBytes) { text in
            Samples.detached {
                $0.update.task = Samples.task(1)
                $0.update.detail = text
            }
        },
        text("reason of a detached task", ProtocolLimits.reasonBytes) { text in
            Samples.detached {
                $0.end.task = Samples.task(1)
                $0.end.state = .failed
                $0.end.reason = text
            }
        },
        text("answer", ProtocolLimits.answerBytes) { text in
            Samples.client(
                .commandAnswer(
                    .with {
                        $0.delivery = 1
                        $0.text = text
                    }
                )
            )
        },
        text("cursor", ProtocolLimits.cursorBytes) { text in
            Samples.client(
                .snapshot(
                    .with {
                        $0.request = 1
                        $0.topic = "totals/"
                        $0.cursorBytes = Array(text.utf8)
                    }
                )
            )
        },
        text("topic of a snapshot", ProtocolLimits.topicBytes) { text in
            Samples.broker(
                .snapshot(
                    .with {
                        $0.request = 1
                        $0.topic = text
                    }
                )
            )
        },
        text("sentence", ProtocolLimits.sentenceBytes) { text in
            Samples.broker(.refusal(.with { $0.sentence = text }))
        },
        text("states", ProtocolLimits.stateCells) { text in
            Samples.update { $0.stateBytes = Array(text.utf8) }
        },
    ]

    // MARK: - Lists

    private static func list(
        _ name: String,
        _ limit: Int,
        _ message: @escaping @Sendable (Int) -> any VectorMessage
    ) -> Case {
        Case(testDescription: name, limit: UInt64(limit), code: .tooMany) { message(Int($0)) }
    }

    static let lists: [Case] = [
        list("state changes of a report", ProtocolLimits.listItems) { count in
            Samples.report { report in
                report.states = Array(repeating: .with { $0.index = 1 }, count: count)
            }
        },
        list("sums of a fold", ProtocolLimits.unitSums) { count in
            var endings = Samples.endings
            endings.folds[0].sums = Array(repeating: WireUnitSum(), count: count)
            return Samples.client(.endings(endings))
        },
        list("sums of a row", ProtocolLimits.unitSums) { count in
            var row = Samples.row
            row.progress.sums = Array(repeating: WireUnitSum(), count: count)
            return Samples.update { [row] in $0.rows = [row] }
        },
        list("attention", ProtocolLimits.attentionItems) { count in
            Samples.update { $0.attention = Array(repeating: Samples.task(1), count: count) }
        },
        list("hosts", ProtocolLimits.hosts) { count in
            Samples.update {
                $0.hosts.hosts = Array(repeating: .with { $0.host = "render-1" }, count: count)
            }
        },
        list("tasks found", ProtocolLimits.foundTasks) { count in
            Samples.broker(
                .found(
                    .with { found in
                        found.request = 1
                        found.tasks = Array(
                            repeating: .with { $0.task = Samples.task(1) },
                            count: count
                        )
                    }
                )
            )
        },
        list("path of a task found", ProtocolLimits.depth) { count in
            Samples.broker(
                .found(
                    .with {
                        $0.request = 1
                        $0.tasks = [
                            .with {
                                $0.task = Samples.task(1)
                                $0.path = Array(repeating: Samples.task(1), count: count)
                                $0.place = Array(repeating: 1, count: count)
                            }
                        ]
                    }
                )
            )
        },
    ]

    static let folded: [Case] = [
        list("removed of the folds of endings", ProtocolLimits.removedIndices) { count in
            var endings = Samples.endings
            endings.folds = [Samples.fold, Samples.fold]
            endings.folds[1].removed = Array(1...UInt64(count - 3))
            return Samples.client(.endings(endings))
        },
        list("removed of the folds of a report", ProtocolLimits.removedIndices) { count in
            var fold = Samples.fold
            fold.removed = Array(1...UInt64(count))
            return Samples.report { [fold] in
                $0.keyframe = 1
                $0.folds = [fold]
            }
        },
    ]

    // MARK: - Numbers

    private static func number(
        _ name: String,
        _ limit: some BinaryInteger,
        _ message: @escaping @Sendable (UInt64) -> any VectorMessage
    ) -> Case {
        Case(
            testDescription: name,
            limit: UInt64(limit),
            code: .outOfRange,
            message: message
        )
    }

    private static func fold(
        _ fill: @escaping @Sendable (inout WireFold, UInt64) -> Void
    ) -> @Sendable (UInt64) -> any VectorMessage {
        { number in
            var endings = Samples.endings
            fill(&endings.folds[0], number)
            return Samples.client(.endings(endings))
        }
    }

    static let numbers: [Case] = [
        number("share", ProtocolLimits.maxShare) { number in
            Samples.report { $0.descriptions = [.with(sharing: Int64(number))] }
        },
        number("share of a detached task", ProtocolLimits.maxShare) { number in
            Samples.detached { $0.begin.share = Int64(number) }
        },
        number("share of a fold", ProtocolLimits.maxFoldedShare, fold { $0.share = $1 }),
        number("succeeded of a fold", ProtocolLimits.maxFoldedCount, fold { $0.succeeded = $1 }),
        number("failed of a fold", ProtocolLimits.maxFoldedCount, fold { $0.failed = $1 }),
        number("cancelled of a fold", ProtocolLimits.maxFoldedCount, fold { $0.cancelled = $1 }),
        number("a share of below", ProtocolLimits.maxFoldedShare, fold { $0.below.muteShare = $1 }),
        number("a number of below", ProtocolLimits.maxFoldedCount, fold { $0.below.alarms = $1 }),
        number("elapsed", ProtocolLimits.maxMilliseconds) { number in
            Samples.report {
                $0.clockIndex = [1]
                $0.elapsed = [number]
                $0.active = [1]
                $0.sinceAdvance = [1]
            }
        },
        number("pid", Int32.max) { number in
            var hello = WireHello()
            hello.session = 1
            hello.process.pid = Int64(number)
            return Samples.client(.hello(hello))
        },
        number("place", ProtocolLimits.maxPlace) { number in
            Samples.report {
                var description = Samples.child
                description.place = UInt32(number)
                $0.descriptions = [description]
            }
        },
        number("slot", ProtocolLimits.maxPlace) { number in
            Samples.update {
                var row = Samples.row
                row.description_p.slot = UInt32(number)
                $0.rows = [row]
            }
        },
        number("depth", ProtocolLimits.depth) { number in
            Samples.update {
                var row = Samples.row
                row.description_p.depth = UInt32(number)
                $0.rows = [row]
            }
        },
        number("timeout", ProtocolLimits.maxCommandTimeout) { number in
            Samples.client(
                .command(
                    .with {
                        $0.request = 1
                        $0.verb = .cancel
                        $0.target = Samples.task(1)
                        $0.timeout = UInt32(number)
                    }
                )
            )
        },
        number("attempt", ProtocolLimits.maxAttempt) { number in
            Samples.broker(.binding(.with(attempt: UInt32(number))))
        },
        number("attempt that is known", ProtocolLimits.maxAttempt) { number in
            Samples.client(
                .redeem(
                    .with {
                        $0.index = 1
                        $0.ticket = Samples.task(3)
                        $0.known = .with(attempt: UInt32(number))
                    }
                )
            )
        },
        number("running", ProtocolLimits.maxCount) { number in
            Samples.update {
                var row = Samples.row
                row.progress.counts.running = number
                $0.rows = [row]
            }
        },
        number("tasks that wait", ProtocolLimits.maxCount) { number in
            Samples.update {
                var totals = Samples.totals
                totals.tasks.waiting = number
                $0.totals = totals
            }
        },
        number("tick", ProtocolLimits.maxInterval) { number in
            Samples.broker(
                .welcome(
                    .with {
                        $0.heartbeat = 1_000
                        $0.tick = UInt32(number)
                    }
                )
            )
        },
    ]
}

extension LimitTests {
    static let times: [Case] = [
        time("time of an ending") { time in
            var endings = Samples.endings
            endings.endings[0].time = time
            return Samples.client(.endings(endings))
        },
        time("time of a log line") { time in
            var line = Samples.logLine
            line.time = time
            return Samples.report { [line] in $0.logs = [line] }
        },
        time("time of an update") { time in Samples.update { $0.time = time } },
        time("end of a row") { time in
            var row = Samples.row
            row.progress.ended = time
            return Samples.update { [row] in $0.rows = [row] }
        },
    ]

    private static func time(
        _ name: String,
        _ message: @escaping @Sendable (Double) -> any VectorMessage
    ) -> Case {
        Case(
            testDescription: name,
            limit: UInt64(ProtocolLimits.maxUnixTime),
            code: .outOfRange
        ) { message(Double($0)) }
    }
}

extension WireBinding {
    fileprivate static func with(attempt: UInt32) -> WireBinding {
        .with {
            $0.index = 1
            $0.kind = .holder
            $0.task = Samples.task(3)
            $0.attempt = attempt
        }
    }
}

extension WireDescription {
    fileprivate static func with(sharing share: Int64) -> WireDescription {
        var description = Samples.child
        description.share = share
        return description
    }
}
