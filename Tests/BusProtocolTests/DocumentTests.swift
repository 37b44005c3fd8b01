import BusProtocol
import Foundation
import SwiftProtobuf
import TaskTree
import TestSupport
import Testing

/// `PROTOCOL.md` says what the code does.
@Suite struct DocumentTests {
    private let text: String

    init() throws {
        text = try ProtocolFolder.text("PROTOCOL.md")
    }

    @Test func theLimitsAreThoseOfTheCode() {
        let expected = LimitTable.rows.map { row in
            [row.what, row.allowed, "`\(row.code.name)`"]
        }
        #expect(table("limits") == expected)
    }

    @Test func theCodesAreThoseOfTheCode() {
        let expected = RefusalCode.all.map { ["\($0.code.rawValue)", "`\($0.name)`"] }
        #expect(table("codes").map { Array($0.prefix(2)) } == expected)
    }

    @Test func everyMessageOfTheSchemaHasItsFieldsListed() throws {
        let schema = SchemaText(try ProtocolFolder.text("progressbus.proto"))
        let reference = text.components(separatedBy: "## 11. Every message and field").last ?? ""
        for message in schema.messages {
            let heading = "#### \(message.name)\n"
            let parts = reference.components(separatedBy: heading)
            #expect(parts.count == 2, "\(message.name) is described once")
            let section = parts.last?.components(separatedBy: "\n#").first ?? ""
            for field in message.fields {
                #expect(section.contains("`\(field.name)`"), "\(message.name).\(field.name)")
            }
        }
        for enumeration in schema.enumerations {
            #expect(reference.contains("#### \(enumeration.name)\n"), "\(enumeration.name)")
        }
    }

    @Test func theExampleInBytesIsWhatTheCodeWritesAndReads() throws {
        let examples = try examples()
        let messages: [any VectorMessage] = [
            Example.hello, Example.welcome, Example.begin, Example.report, Example.endings,
            Example.journalled, Example.update,
        ]
        #expect(examples.count == messages.count)
        for (example, message) in zip(examples, messages) {
            #expect(example.bytes == message.frame)
            #expect(isEqual(try VectorCase.decode(example.bytes, as: message.kind), message))
            #expect(example.kind == "\(message.kind)")
        }
    }

    @Test func everyVectorFieldAndFolderIsNamed() {
        for word in ["vectors/accepted", "vectors/rejected", "`meaning`", "`number`", "`frame`"] {
            #expect(text.contains(word))
        }
    }

    /// The cells of the rows behind a marker, without the heading.
    private func table(_ marker: String) -> [[String]] {
        let part = text.components(separatedBy: "<!-- \(marker) -->").last ?? ""
        let lines = part.components(separatedBy: "<!-- end -->")[0].split(separator: "\n")
        return lines.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The hexadecimal columns of the blocks marked as frames.
    private func examples() throws -> [(kind: String, bytes: [UInt8])] {
        text.components(separatedBy: "```frame-").dropFirst().map { part in
            let lines = part.components(separatedBy: "```")[0].split(separator: "\n")
            let digits = lines.dropFirst().map { $0.prefix { $0 != "|" } }.joined()
            return (String(lines[0]), [UInt8](hex: digits))
        }
    }
}

/// The messages of the worked example.
private enum Example {
    static let job = WireDescription.with {
        $0.index = 1
        $0.title = "Copy"
        $0.unit = "files"
        $0.begun = 1_795_230_000
    }

    static let hello = Samples.client(
        .hello(
            .with {
                $0.session = Samples.session.rawValue
                $0.process.host = "tower"
                $0.process.pid = 4711
                $0.client = "copy 1.0"
            }
        )
    )

    static let welcome = Samples.broker(
        .welcome(
            .with {
                $0.version = "0.1.0"
                $0.heartbeat = 1000
                $0.tick = 50
                $0.uptime = 12.5
            }
        )
    )

    static let begin = Samples.report {
        $0.sequence = 1
        $0.keyframe = 1
        $0.keyframeLast = true
        $0.amountIndex = [1]
        $0.completed = [0]
        $0.total = [3]
        $0.clockIndex = [1]
        $0.elapsed = [0]
        $0.active = [0]
        $0.sinceAdvance = [0]
        $0.descriptions = [job]
        $0.states = [.with { $0.index = 1 }]
    }

    static let report = Samples.report {
        $0.sequence = 2
        $0.amountIndex = [1]
        $0.completed = [2]
        $0.total = [3]
    }

    static let endings = Samples.client(
        .endings(
            .with {
                $0.sequence = 3
                $0.endings = [
                    .with {
                        $0.description_p = job
                        $0.state = .succeeded
                        $0.completed = 3
                        $0.total = 3
                        $0.clock.elapsed = 1500
                        $0.clock.active = 1500
                        $0.clock.sinceAdvance = 20
                    }
                ]
            }
        )
    )

    static let journalled = Samples.broker(.endingsJournalled(.with { $0.sequence = 3 }))

    static let update = Samples.update {
        $0.rows = [
            .with {
                $0.task = Samples.task(1)
                $0.sequence = 131_072
                $0.progress.state = .running
                $0.progress.fraction = 0.5
                $0.progress.displayFraction = 0.5
                $0.progress.completed = 2
                $0.progress.total = 4
            }
        ]
    }
}
