import BusProtocol

/// The limits as section 5.1 of the document lists them.
enum LimitTable {
    static let rows: [(what: String, allowed: String, code: RefusalCode)] = [
        (
            "a frame of a client, header included", "\(ProtocolLimits.clientFrameBytes) bytes",
            .tooLarge
        ),
        ("a frame of a broker, header included", "\(ProtocolLimits.frameBytes) bytes", .tooLarge),
        ("`credential`", "exactly \(ProtocolLimits.credentialBytes) bytes", .badCredential),
        ("`request_id`", "exactly \(ProtocolLimits.requestIDBytes) bytes", .outOfRange),
        ("`title`", "\(ProtocolLimits.titleBytes) bytes", .tooLong),
        ("`detail`", "\(ProtocolLimits.detailBytes) bytes", .tooLong),
        ("`reason`", "\(ProtocolLimits.reasonBytes) bytes", .tooLong),
        ("`unit`", "\(ProtocolLimits.unitBytes) bytes", .tooLong),
        ("`Description.key`, `DetachedBegin.key`", "\(ProtocolLimits.keyBytes) bytes", .tooLong),
        (
            "`RowDescription.key`, `FoundTask.key`",
            "\(ProtocolLimits.shownKeyBytes) bytes",
            .tooLong
        ),
        ("`tint`", "\(ProtocolLimits.tintBytes) bytes", .tooLong),
        ("`consequence`", "\(ProtocolLimits.consequenceBytes) bytes", .tooLong),
        ("`note`", "\(ProtocolLimits.noteBytes) bytes", .tooLong),
        ("`LogLine.text`", "\(ProtocolLimits.logBytes) bytes", .tooLong),
        ("`host`", "\(ProtocolLimits.hostBytes) bytes", .tooLong),
        ("`command` of a process", "\(ProtocolLimits.commandBytes) bytes", .tooLong),
        ("`boot_id`, `pid_namespace`", "\(ProtocolLimits.machineBytes) bytes", .tooLong),
        ("`client`, `version`", "\(ProtocolLimits.clientBytes) bytes", .tooLong),
        ("the name of a member", "\(ProtocolLimits.memberNameBytes) bytes", .tooLong),
        ("`topic`", "\(ProtocolLimits.topicBytes) bytes", .tooLong),
        ("`Find.text`, `DetachedBegin.parent`", "\(ProtocolLimits.findBytes) bytes", .tooLong),
        ("`Search.filter`", "\(ProtocolLimits.filterBytes) bytes", .tooLong),
        (
            "`CommandAnswer.text`, `CommandResult.text`",
            "\(ProtocolLimits.answerBytes) bytes",
            .tooLong
        ),
        ("`sentence`, `trouble`", "\(ProtocolLimits.sentenceBytes) bytes", .tooLong),
        ("`cursor`", "\(ProtocolLimits.cursorBytes) bytes", .tooLong),
        ("`states`, one byte a cell", "\(ProtocolLimits.stateCells) bytes", .tooLong),
        (
            "`descriptions`, `states`, `folds` and `logs` of one `Report`, `endings` and `folds` of one "
                + "`Endings`, or `rows` and `removed` of one `FleetRows`, together",
            "\(ProtocolLimits.listItems) entries",
            .tooMany
        ),
        ("`sums` of a fold or row", "\(ProtocolLimits.unitSums) entries", .tooMany),
        (
            "`removed` of the folds of one `Report` or `Endings`, together",
            "\(ProtocolLimits.removedIndices) entries",
            .tooMany
        ),
        ("`attention`", "\(ProtocolLimits.attentionItems) entries", .tooMany),
        ("`Found.tasks`", "\(ProtocolLimits.foundTasks) entries", .tooMany),
        ("`FoundTask.path`", "\(ProtocolLimits.depth) entries", .tooMany),
        (
            "`index`, `sequence` of a report or endings, `request`, `delivery`, `epoch`, `Hello.session`",
            "1 or more",
            .outOfRange
        ),
        ("`completed`, `expected_children`", "0 or more", .outOfRange),
        ("`total`", "-1 (none) or more; in rows and sums 0 or more", .outOfRange),
        (
            "`Description.share`, `DetachedBegin.share`", "0 to \(ProtocolLimits.maxShare)",
            .outOfRange
        ),
        (
            "`Fold.share`, `running_share`, `mute_share`",
            "0 to \(ProtocolLimits.maxFoldedShare)",
            .outOfRange
        ),
        (
            "`succeeded`, `failed`, `cancelled` of a fold, all numbers of tasks in `PartBelow`",
            "0 to \(ProtocolLimits.maxFoldedCount)",
            .outOfRange
        ),
        ("`weighted` of a fold, `running_weighted`", "0 to `share` · 2^50", .outOfRange),
        ("`expected_gap`", "0 to \(Int(ProtocolLimits.maxExpectedGap)) s, finite", .outOfRange),
        ("`expect_every`", "1 to \(Int(ProtocolLimits.maxExpectedGap)) s, finite", .outOfRange),
        ("`by`", "1 or more", .outOfRange),
        (
            "`elapsed`, `active`, `since_advance`",
            "0 to \(ProtocolLimits.maxMilliseconds) ms",
            .outOfRange
        ),
        ("`pid`", "0 to 2147483647", .outOfRange),
        ("`place`, `cell`; `slot` from 1", "0 to \(ProtocolLimits.maxPlace)", .outOfRange),
        ("`depth`", "0 to \(ProtocolLimits.depth)", .outOfRange),
        ("`CommandRequest.timeout`", "0 to \(ProtocolLimits.maxCommandTimeout) ms", .outOfRange),
        (
            "`Welcome.heartbeat`, `Welcome.tick`",
            "1 to \(ProtocolLimits.maxInterval) ms",
            .outOfRange
        ),
        ("`display_fraction`", "0 to 1", .outOfRange),
        (
            "`attempt` of a HOLDER, in `Redeem.known` too",
            "1 to \(ProtocolLimits.maxAttempt)",
            .outOfRange
        ),
        (
            "fields of `Counts`, `RowProgress.attention`, `children_left_out`, `needing_attention`, "
                + "`other_hosts`, `hits`, `looked`",
            "0 to \(ProtocolLimits.maxCount)",
            .outOfRange
        ),
        (
            "a Unix time: `time`, `begun`, `ended`, `advanced`",
            "0 to \(Int(ProtocolLimits.maxUnixTime)) s",
            .outOfRange
        ),
        ("`pages` of one `FleetPages`", "\(ProtocolLimits.ownedPages) entries", .tooMany),
        ("`pages` of `FleetPages`", "0 to \(ProtocolLimits.fleetPages - 1)", .outOfRange),
        ("`Invite.uses`", "1 to \(ProtocolLimits.maxUses)", .outOfRange),
        ("`Invite.seconds`", "1 to \(ProtocolLimits.maxInvitationSeconds)", .outOfRange),
        ("`hosts` of one `Hosts` or `ProbeAnswer`", "\(ProtocolLimits.hosts) entries", .tooMany),
        (
            "`members`, `invitations` and `addresses` of one `AccessAnswer`, together",
            "\(ProtocolLimits.accessEntries) entries",
            .tooMany
        ),
        ("every other double but `rate`", "finite, 0 or more", .outOfRange),
    ]
}
