import DashboardCore
import ProgressBus

extension ReportOperation {
    private static let names = [
        "begin", "update", "advance", "end", "ticket", "redeem", "log", "sync",
    ]

    /// Reads one line by itself, without regard to other lines.
    ///
    /// Calls `fields` for a valid line, once all its fields have been asked for.
    init(
        parsing line: some Sequence<UInt8>,
        fields told: (ReportFields) -> Void = { _ in }
    ) throws(ReportLineError) {
        let fields = try ReportFields.parse(line)
        let name = try fields.requiredText("op")
        switch name {
        case "begin": self = .begin(try Begin(fields))
        case "update": self = .update(try Update(fields))
        case "advance":
            self = .advance(
                id: try fields.requiredText("id"),
                by: try fields.amount("by") ?? 1
            )
        case "end":
            self = .end(
                id: try fields.requiredText("id"),
                state: try Self.endState(fields),
                reason: try fields.text("reason")
            )
        case "ticket": self = .ticket(try Ticket(fields))
        case "redeem": self = .redeem(try Redeem(fields))
        case "log":
            self = .log(
                id: try fields.requiredText("id"),
                text: try fields.requiredText("text")
            )
        case "sync": self = .sync
        default: throw Self.unknown(name)
        }
        // Not for a refused line, of which some fields may not have been asked for.
        told(fields)
    }

    private static func unknown(_ name: String) -> ReportLineError {
        let misspelling = Misspelling(name)
        let rest =
            misspelling.nearest(of: names).map { "did you mean \"\($0)\"? There are" }
            ?? "there are"
        return ReportLineError(
            "unknown operation \"\(PlainText.clean(misspelling.shown))\"; \(rest) "
                + names.joined(separator: ", ")
        )
    }

    private static func endState(_ fields: ReportFields) throws(ReportLineError) -> EndState {
        let text = try fields.requiredText("state")
        guard let state = EndState(rawValue: text) else {
            throw ReportLineError(
                "there is no ending \"\(text)\"; there are succeeded, failed, cancelled"
            )
        }
        return state
    }
}

extension ReportOperation.Begin {
    fileprivate init(_ fields: ReportFields) throws(ReportLineError) {
        self.init(
            id: try fields.requiredText("id"),
            parent: try fields.text("parent"),
            title: try fields.requiredText("title"),
            options: try ReportOperation.Options(fields)
        )
    }
}

extension ReportOperation.Redeem {
    fileprivate init(_ fields: ReportFields) throws(ReportLineError) {
        self.init(
            id: try fields.requiredText("id"),
            ticket: try fields.requiredText("ticket"),
            title: try fields.text("title"),
            options: try ReportOperation.Options(fields)
        )
        guard ProgressTicket(ticket) != nil else {
            throw ReportLineError(
                "\"\(ticket)\" is not a ticket; pass on the text of a ticket event"
            )
        }
    }
}

extension ReportOperation.Ticket {
    fileprivate init(_ fields: ReportFields) throws(ReportLineError) {
        self.init(
            id: try fields.requiredText("id"),
            parent: try fields.text("parent") ?? ReportNames.root,
            title: try fields.requiredText("title"),
            share: try fields.amount("share")
        )
    }
}

extension ReportOperation.Options {
    fileprivate init(_ fields: ReportFields) throws(ReportLineError) {
        total = try fields.amount("total")
        unit = try fields.text("unit")
        share = try fields.amount("share")
        key = try fields.text("key")
        detail = try fields.text("detail")
        let style = try fields.text("style")
        task = TaskOptions(
            style: style == "spinner" ? .spinner : .bar,
            isBackground: try fields.flag("background") ?? false,
            tint: try fields.text("tint") ?? "",
            isCancellable: try fields.flag("cancellable") ?? false,
            isPausable: try fields.flag("pausable") ?? false,
            consequence: try fields.text("consequence") ?? "",
            expectedGap: try fields.seconds("expectEvery").map { .seconds($0) },
            expectedChildren: try fields.amount("expectedChildren"),
            totalIsEstimate: try fields.flag("totalIsEstimate") ?? false
        )
        guard style == nil || style == "bar" || style == "spinner" else {
            throw ReportLineError("\"style\" must be bar or spinner")
        }
    }
}

extension ReportOperation.Update {
    fileprivate init(_ fields: ReportFields) throws(ReportLineError) {
        self.init(id: try fields.requiredText("id"))
        completed = try fields.amount("completed")
        total =
            fields.isNull("total") ? .unknown : try fields.amount("total").map { .known($0) }
        title = try fields.text("title")
        detail = try fields.text("detail")
        share = try fields.amount("share")
        expectedChildren = try fields.amount("expectedChildren")
        totalIsEstimate = try fields.flag("totalIsEstimate")
        isPaused = try fields.flag("paused")
    }
}
