import BusProtocol
import Foundation

/// One process: begins its sessions, plays their changes at an even pace, ends them all.
final class Player {
    /// Requests under way at a time on a connection while sessions begin and end: the broker queues
    /// no more than 64 frames for one that does not read, and each request has up to three.
    private static let window = 16
    private static let patience = 120.0
    /// Seconds after which a session that said nothing sends a heartbeat.
    private static let heartbeat = 1.0

    private let plan: Plan
    private let wires: Wires
    private let issuer: Issuer
    private var sessions: [PlayedSession]
    private let window: Int
    private var sequence: UInt64 = 0
    private var tally = Tally()
    private var answers = Wires.Answers()
    private var probeSent = 0.0
    private var probeDue = 0.0
    private var probesOpen = 0
    /// Sessions that are to be heard of although they say nothing else, and when it was their turn.
    private var quiet = 0
    private var pulse = (at: 0.0, owed: 0.0, next: 0)
    /// When the issuer was last heard of.
    private var lastWord = 0.0
    private var isLeaving = false

    struct Tally: Codable {
        var sessions = 0
        var secondsToBegin = 0.0
        var secondsPlayed = 0.0
        var reports = 0
        var heartbeats = 0
        /// Attempts that found the connection full.
        var full = 0
        /// Milliseconds from a probe to its answer, over control, behind what others say.
        var probes: [Double] = []
        var secondsToEnd = 0.0
    }

    init(_ plan: Plan) throws {
        self.plan = plan
        wires = try Wires(plan.connections)
        window = Self.window * plan.connections
        issuer = Issuer(jobs: plan.jobs, tickets: plan.sessions)
        sessions = (1...plan.sessions).map { PlayedSession(number: UInt64($0)) }
    }

    /// Says on standard output when its sessions have begun, and waits for a line before it plays
    /// and before it ends them: all processes do the same at a time.
    func run() throws {
        try wires.open(within: 30)
        tally.sessions = sessions.count
        tally.secondsToBegin = try timed { try begin() }
        say("begun")
        _ = readLine()
        try play()
        quiet = sessions.count
        say("played")
        _ = readLine()
        let heartbeats = tally.heartbeats
        tally.secondsToEnd = try timed { try end() }
        tally.heartbeats = heartbeats
        say(String(decoding: try JSONEncoder().encode(tally), as: UTF8.self))
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private func timed(_ body: () throws -> Void) rethrows -> Double {
        let start = Clock.seconds
        try body()
        return Clock.seconds - start
    }

    private func nextSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    private func receive(milliseconds: Int) throws {
        let new = try wires.receive(milliseconds: milliseconds)
        if let sentence = new.refusals.first {
            throw Complaint("the broker refused: \(sentence)", code: 69)
        }
        answers.welcomed += new.welcomed
        answers.bound += new.bound
        answers.journalled += new.journalled
        answers.left += new.left
        for _ in new.probes { tally.probes.append((Clock.seconds - probeSent) * 1_000) }
        try beat()
    }

    /// Sends again until the connection has taken it.
    private func insist(_ send: () throws -> Bool) throws {
        let deadline = Clock.seconds + Self.patience
        while try !send() {
            tally.full += 1
            guard Clock.seconds < deadline else {
                throw Complaint("the broker takes nothing any more", code: 69)
            }
            try receive(milliseconds: 1)
        }
    }

    private func wait(_ what: String, until isDone: () -> Bool) throws {
        let deadline = Clock.seconds + Self.patience
        while !isDone() {
            guard Clock.seconds < deadline else {
                throw Complaint("never happened: \(what)", code: 69)
            }
            try receive(milliseconds: 20)
        }
    }

    private func begin() throws {
        let owner = issuer.session
        try insist { try wires.send(owner.hello(), of: 0) }
        try wait("the issuer is welcomed") { answers.welcomed == 1 }
        for chunk in issuer.keyframe(sequence: nextSequence) {
            try insist { try wires.send(chunk, of: 0) }
        }
        for index in sessions.indices {
            sessions[index].begun = Clock.seconds
            let session = sessions[index]
            try insist { try wires.send(session.hello(), of: session.number) }
            try insist { try wires.send(session.redeem(issuer: owner.id), of: session.number) }
            quiet = index + 1
            if index % 64 == 0 { try receive(milliseconds: 0) }
            try wait("sessions are bound") { index - answers.bound < window }
        }
        try wait("all sessions are bound") { answers.bound == sessions.count }
        for index in sessions.indices {
            sessions[index].lastReport = nextSequence()
            let report = sessions[index].keyframe(issuer: owner.id, now: Clock.seconds)
            try insist { try wires.send(report, of: sessions[index].number) }
            if index % 64 == 0 { try receive(milliseconds: 0) }
        }
    }

    private func play() throws {
        let start = Clock.seconds
        let rate = Double(sessions.count) * plan.hertz
        if plan.hertz >= 1 / Self.heartbeat { quiet = 0 }
        tally.heartbeats = 0
        var reports = 0
        while true {
            let elapsed = min(plan.seconds, Clock.seconds - start)
            try sendReports(&reports, until: Int(elapsed * rate))
            if tally.probes.count < Int(elapsed * 5), Clock.seconds - start > probeDue {
                try probe()
                probeDue = Clock.seconds - start + 0.2
            }
            if elapsed >= plan.seconds { break }
            try receive(milliseconds: 2)
        }
        tally.reports = reports
        tally.secondsPlayed = Clock.seconds - start
        try wait("the last probe is answered") { probesOpen == tally.probes.count }
    }

    private func sendReports(_ sent: inout Int, until due: Int) throws {
        while sent < due {
            let index = sent % sessions.count
            sessions[index].completed += 1
            sessions[index].lastReport = nextSequence()
            let session = sessions[index]
            let report = session.change(now: Clock.seconds)
            try insist { try wires.send(report, of: session.number) }
            sent += 1
        }
    }

    /// Sends the heartbeats that are due, in turns, at an even pace.
    private func beat() throws {
        let now = Clock.seconds
        pulse.owed += min(1, now - pulse.at) * Double(quiet) / Self.heartbeat
        pulse.at = now
        if answers.welcomed > 0, now - lastWord > Self.heartbeat, !isLeaving {
            lastWord = now
            _ = try wires.send(issuer.session.heartbeat(), of: 0)
        }
        while pulse.owed >= 1, quiet > 0 {
            let session = sessions[pulse.next % quiet]
            guard try wires.send(session.heartbeat(), of: session.number) else {
                tally.full += 1
                return
            }
            pulse.owed -= 1
            pulse.next += 1
            tally.heartbeats += 1
        }
    }

    private func probe() throws {
        guard probesOpen == tally.probes.count else { return }
        var probe = WireProbe()
        probe.request = UInt64(probesOpen + 1)
        var frame = WireClientFrame()
        frame.credential = issuer.session.credential
        frame.probe = probe
        probeSent = Clock.seconds
        try insist { try wires.send(frame, of: 0) }
        probesOpen += 1
    }

    private func end() throws {
        for (index, session) in sessions.enumerated() {
            let number = nextSequence()
            let frame = session.ending(
                issuer: issuer.session.id,
                sequence: number,
                now: Clock.seconds
            )
            try insist { try wires.send(frame, of: session.number) }
            if index % 64 == 0 { try receive(milliseconds: 0) }
            try wait("endings are acknowledged") {
                index - answers.journalled.count < window
            }
        }
        try wait("all endings are acknowledged") { answers.journalled.count == sessions.count }
        quiet = 0
        isLeaving = true
        let owner = issuer.session
        try insist { try wires.send(issuer.endings(sequence: nextSequence()), of: 0) }
        for (index, session) in sessions.enumerated() {
            try insist { try wires.send(session.goodbye(), of: session.number) }
            try wait("goodbyes are accepted") { index - answers.left < window }
        }
        try insist { try wires.send(owner.goodbye(), of: 0) }
        try wait("all goodbyes are accepted") { answers.left == sessions.count + 1 }
    }
}
