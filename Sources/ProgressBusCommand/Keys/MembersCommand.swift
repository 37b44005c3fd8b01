import ArgumentParser
import BusProtocol
import DashboardCore
import Essentials
import ProgressBus

/// `progressbus members`: who may speak with the broker of a bus, and who was refused.
struct MembersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Lists the members of a bus that has keys, and its open invitations.",
        discussion: KeyOptions.codes
    )

    @OptionGroup var bus: KeyOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let membership = try bus.membership()
        var list = WireAccessAnswer()
        var isLast = false
        while !isLast {
            var page = WireMembersRequest()
            page.skip = UInt32(list.members.count + list.invitations.count)
            let answer = try bus.ask(.members(page), of: membership).answer
            list.members += answer.members
            list.invitations += answer.invitations
            list.refused = answer.refused
            list.addresses = answer.addresses
            isLast = answer.last || answer.members.isEmpty && answer.invitations.isEmpty
        }
        try StandardStreams.print(
            json ? try JSONLine.text(MemberList(list), isPretty: true) : Self.table(list)
        )
    }

    private static func table(_ list: WireAccessAnswer) -> String {
        var rows = [["MEMBER", "ROLE", "KEY", "SINCE", ""]]
        rows += list.members.map { member in
            [
                member.name, Role(member.role)?.rawValue ?? "unknown",
                member.publicKey?.label ?? "", day(member.since),
                member.expires == 0 ? "" : "until " + day(member.expires),
            ]
        }
        rows += list.invitations.map { invitation in
            [
                "(invitation)", Role(invitation.role)?.rawValue ?? "unknown", invitation.name,
                "by " + invitation.by, "\(invitation.uses) left, until " + day(invitation.expires),
            ]
        }
        var lines = columns(rows)
        if list.refused > 0 {
            let most = list.addresses.prefix(5).map { "\($0.address) \(times($0.count))" }
            let all = "refused to let in \(times(list.refused)): "
            lines.append(all + most.joined(separator: ", "))
        }
        return lines.map { PlainText.clean($0) }.joined(separator: "\n")
    }

    private static func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(count) times" }

    private static func columns(_ rows: [[String]]) -> [String] {
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (text, width) in zip(row, widths) {
                line += text + String(repeating: " ", count: width - text.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    static func day(_ seconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space)
                .time(includingFractionalSeconds: false)
        )
    }
}

/// What `members --json` prints.
private struct MemberList: Encodable {
    struct Member: Encodable {
        var name: String
        var role: String
        var key: String
        var since: UInt64
        var expires: UInt64?
    }

    struct Invitation: Encodable {
        var name: String
        var role: String
        var uses: UInt32
        var expires: UInt64
        var by: String
    }

    struct Address: Encodable {
        var address: String
        var count: UInt64
        var last: UInt64
    }

    var members: [Member]
    var invitations: [Invitation]
    var refused: UInt64
    var addresses: [Address]

    init(_ list: WireAccessAnswer) {
        members = list.members.map {
            Member(
                name: $0.name,
                role: Role($0.role)?.rawValue ?? "unknown",
                key: $0.publicKey?.text ?? "",
                since: $0.since,
                expires: $0.expires == 0 ? nil : $0.expires
            )
        }
        invitations = list.invitations.map {
            Invitation(
                name: $0.name,
                role: Role($0.role)?.rawValue ?? "unknown",
                uses: $0.uses,
                expires: $0.expires,
                by: $0.by
            )
        }
        refused = list.refused
        addresses = list.addresses.map {
            Address(address: $0.address, count: $0.count, last: $0.last)
        }
    }
}
