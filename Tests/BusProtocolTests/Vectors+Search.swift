import BusProtocol
import SwiftProtobuf

/// Searches in a job, and their answers.
extension Vectors {
    static let acceptedSearch: [VectorCase] = [
        .accepted(
            "client-search",
            Samples.client(
                .find(
                    .with {
                        $0.request = 7
                        $0.search.filter = "failed host:build-1"
                        $0.search.job = Samples.task(1)
                        $0.search.after = Samples.task(9)
                        $0.search.backwards = true
                    }
                )
            ),
            "What has failed on that host, from the task before this one back to the first of the job."
        ),
        .accepted(
            "broker-found-searched",
            Samples.broker(
                .found(
                    .with {
                        $0.request = 7
                        $0.tasks = [
                            .with {
                                $0.task = Samples.task(4)
                                $0.job = Samples.task(1)
                                $0.title = "Scan"
                                $0.slot = 3
                                $0.path = [Samples.task(1)]
                                $0.place = [2]
                            }
                        ]
                        $0.searched.hits = 1
                        $0.searched.looked = 50_000
                        $0.searched.reached = Samples.task(9)
                    }
                )
            ),
            "One hit in 50,000 tasks, and there are more tasks behind task 9."
        ),
    ]

    static let rejectedSearch: [VectorCase] = [
        client(
            "search-filter",
            .tooLong,
            "401 bytes.",
            .find(
                .with {
                    $0.request = 1
                    $0.search.filter = text(401)
                    $0.search.job = Samples.task(1)
                }
            )
        ),
        client(
            "search-job",
            .malformed,
            "No job to search in.",
            .find(
                .with {
                    $0.request = 1
                    $0.search.filter = "failed"
                }
            )
        ),
        .rejected(
            "broker-found-hits",
            .outOfRange,
            Samples.broker(
                .found(
                    .with {
                        $0.request = 7
                        $0.searched.hits = ProtocolLimits.maxCount + 1
                    }
                )
            ),
            "More hits than there can be tasks."
        ),
    ]
}
