import Foundation
import TaskTree
import Testing

/// What Foundation's progress trees are known to do, as far as a tree with one parent goes.
@Suite struct ConformanceTests {
    /// Cases in which this tree differs on purpose, and why.
    static let differing: [String: String] = [
        "progress/test_handlers": "handlers belong to the SDK; the tree has none",
        "progress/test_alreadyCancelled": "handlers belong to the SDK; the tree has none",
        "probe/progress/handlerRunsOnEveryCancelCall": "handlers belong to the SDK",
        "manager/totalCountNilWithChild":
            "a parent without total: its children give its fraction",
        "manager/unfinishedChild": "release is not completion: an owner that goes is lost",
        "manager/deallocatedChild": "release is not completion: an owner that goes is lost",
        "manager/concurrentSubprogressCreation":
            "release is not completion: an owner that goes is lost",
        "probe/manager/unfinishedReporterChildReleasedCompletesItsShare":
            "release is not completion: an owner that goes is lost",
        "probe/manager/unconsumedTokenCompletesItsShare":
            "release is not completion: a ticket nobody redeems is cancelled",
        "probe/progress/becomeCurrentWithoutChildCompletesPending":
            "there are no implicit children that could be missing",
        "reporter/testAddProgressReporterAsChild": "a task has one parent",
        "probe/manager/sameReporterAssignedTwice": "a task has one parent",
        "probe/progress/secondParentRefused": "a task has one parent: the newest word names it",
    ]

    /// Defects and open choices of the originals, with what this tree says instead.
    static let decided: [String: [Conformance.Expectation]] = [
        "probe/progress/settingTotalToZeroAfterWorkTraps": [.init(3, "fraction", "p", 1)],
        "probe/manager/zeroTotal": [
            .init(1, "fraction", "m", 1), .init(2, "fraction", "m", 1),
        ],
        "probe/manager/zeroTotalParentWithChildTrapsOnRead": [.init(4, "fraction", "m", 1)],
        "probe/manager/negativeComplete": [
            // Refused: the amount stays as it was.
            .init(2, "completed", "m", 0), .init(2, "fraction", "m", 0),
            .init(3, "completed", "m", 20), .init(3, "fraction", "m", 2),
        ],
        "probe/progress/zeroTotalAtCreation": [
            .init(1, "fraction", "p", 1), .init(2, "fraction", "p", 1),
            .init(3, "fraction", "p", 0.5),
        ],
    ]

    @Test func `every case is run or listed with its reason`() throws {
        let names = Set(try Conformance.load().cases.map(\.name))
        for name in [String](Self.differing.keys) + Self.decided.keys {
            #expect(names.contains(name), "\(name) is listed, but no case")
        }
        #expect(names.count == 53)
    }

    @Test func `cases that apply hold`() throws {
        var run = 0
        for item in try Conformance.load().cases where Self.differing[item.name] == nil {
            var player = ConformancePlayer(item)
            try player.play(Self.decided[item.name] ?? item.expectations)
            run += 1
        }
        #expect(run == 53 - Self.differing.count)
    }
}

/// The file of cases.
struct Conformance {
    var cases: [Case] = []

    struct Case {
        var name: String
        var ops: [[Any]]
        var mustFail: Bool
        /// Of defects only what ought to be.
        var expectations: [Expectation]
    }

    struct Expectation: Sendable {
        var after: Int
        var what: String
        var id: String
        /// Booleans as 0 and 1.
        var value: Double?
        var tolerance = 1e-14

        init(_ after: Int, _ what: String, _ id: String, _ value: Double?) {
            self.after = after
            self.what = what
            self.id = id
            self.value = value
        }
    }

    static func load() throws -> Conformance {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("Conformance/foundation-trees.json")
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let root = try #require(parsed as? [String: Any])
        let cases = try #require(root["cases"] as? [[String: Any]])
        return Conformance(
            cases: try cases.map { item in
                let isDefect = item["verdict"] as? String == "avoid"
                let expected = try #require(item["expect"] as? [[String: Any]])
                return Case(
                    name: try #require(item["name"] as? String),
                    ops: try #require(item["ops"] as? [[Any]]),
                    mustFail: item["lastOpMustFail"] as? Bool ?? false,
                    expectations: try expected.compactMap { try expectation($0, isDefect) }
                )
            }
        )
    }

    private static func expectation(
        _ item: [String: Any],
        _ isDefect: Bool
    ) throws -> Expectation? {
        let isIdeal = item["ideal"] != nil || item["idealOnly"] as? Bool == true
        if isDefect, !isIdeal { return nil }
        var expectation = Expectation(
            try #require(item["after"] as? Int),
            try #require(item["what"] as? String),
            item["id"] as? String ?? "",
            ((item["ideal"] ?? item["value"]) as? NSNumber)?.doubleValue
        )
        if let tolerance = item["tol"] as? Double { expectation.tolerance = tolerance }
        return expectation
    }
}
