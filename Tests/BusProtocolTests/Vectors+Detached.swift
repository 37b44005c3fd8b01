import BusProtocol
import SwiftProtobuf
import TaskTree

/// Requests about tasks that belong to the broker, and its answers.
extension Vectors {
    static let acceptedDetached: [VectorCase] = [
        .accepted(
            "client-detached-begin",
            Samples.client(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.begin = .with {
                            $0.title = "Back up photos"
                            $0.parent = "key:nightly"
                            $0.share = 2
                            $0.total = 10
                            $0.unit = "files"
                            $0.key = "photos"
                            $0.detail = "IMG_0041.jpg"
                            $0.expectEvery = 60
                        }
                    }
                )
            ),
            "A script begins a task that belongs to the broker, with every field."
        ),
        .accepted(
            "client-detached-update",
            Samples.client(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.update = .with {
                            $0.task = Samples.task(1, of: Samples.other)
                            $0.completed = 0
                            $0.total = -1
                            $0.detail = ""
                        }
                    }
                )
            ),
            "Back to the start, no total, no detail; the title stays: fields that are 0 or empty are there."
        ),
        .accepted(
            "client-detached-advance",
            Samples.client(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.advance = .with {
                            $0.task = Samples.task(1, of: Samples.other)
                            $0.by = 3
                        }
                    }
                )
            ),
            "Three more are done; counted once, however often it comes."
        ),
        .accepted(
            "client-detached-end",
            Samples.client(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.end = .with {
                            $0.task = Samples.task(1, of: Samples.other)
                            $0.state = .failed
                            $0.reason = "no space left on the device"
                        }
                    }
                )
            ),
            "The detached task has failed."
        ),
        .accepted(
            "broker-detached-done",
            Samples.broker(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.task = Samples.task(1, of: Samples.other)
                    }
                )
            ),
            "What was asked of the detached task is on disk."
        ),
        .accepted(
            "broker-detached-refused",
            Samples.broker(
                .detached(
                    .with {
                        $0.requestIDBytes = Samples.requestID
                        $0.task = Samples.task(1, of: Samples.other)
                        $0.code = RefusalCode.taskEnded.rawValue
                        $0.sentence = "Task 1-vmlt9gqah5ggg has been cancelled."
                    }
                )
            ),
            "A script learns that somebody has cancelled its task."
        ),
    ]

    private static func detached(
        _ fill: (inout WireDetachedRequest) -> Void
    ) -> WireClientFrame.OneOf_Body {
        .detached(
            .with {
                $0.requestIDBytes = Samples.requestID
                fill(&$0)
            }
        )
    }

    private static func detached(
        begin fill: (inout WireDetachedBegin) -> Void
    ) -> WireClientFrame.OneOf_Body {
        detached { $0.begin = .with(fill) }
    }

    static let rejectedDetached: [VectorCase] = [
        client(
            "detached-request-id",
            .outOfRange,
            "15 bytes.",
            detached { $0.requestIDBytes.removeLast() }
        ),
        client("detached-title", .tooLong, "201 bytes.", detached(begin: { $0.title = text(201) })),
        client(
            "detached-parent",
            .tooLong,
            "257 bytes.",
            detached(begin: { $0.parent = text(257) })
        ),
        client("detached-total", .outOfRange, "-2.", detached(begin: { $0.total = -2 })),
        client(
            "detached-expect-every",
            .outOfRange,
            "Half a second.",
            detached(begin: { $0.expectEvery = 0.5 })
        ),
        client(
            "detached-update-task",
            .malformed,
            "No task.",
            detached { $0.update = WireDetachedUpdate() }
        ),
        client(
            "detached-advance-own",
            .outOfRange,
            "Session 0: the sender has none.",
            detached { $0.advance.task = Samples.own(1) }
        ),
        client(
            "detached-advance-by",
            .outOfRange,
            "By -1.",
            detached {
                $0.advance.task = Samples.task(1)
                $0.advance.by = -1
            }
        ),
        client(
            "detached-end-state",
            .malformed,
            "It ends as running.",
            detached { $0.end.task = Samples.task(1) }
        ),
    ]
}
