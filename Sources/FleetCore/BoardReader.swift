import BusProtocol
import TaskTree

/// Reads pages of the broker's board, each again whenever something on it has changed.
///
/// It acts as any viewer: it subscribes to its pages. When an update or a beat of a page has
/// another sequence than the page that was read, it asks for the whole page. So it never puts a
/// page together from updates.
struct BoardReader {
    /// Seconds between two readings of a page that changes.
    private static let every = 0.1
    /// Seconds between two readings of a page that does not change: rates and times left still do.
    private static let renewedEvery = 20.0
    /// Seconds of silence after which the broker counts as gone, and without an answer after which
    /// a page is asked for again.
    private static let patience = 3.0

    private struct Page {
        var heard: UInt64?
        var read: UInt64?
        var askedAt: Moment?
        /// The request that is under way, with its rows so far.
        var reading: Reading?
    }

    private struct Reading {
        var request: UInt64
        /// The sequence of the first chunk: later changes have the page read again.
        var sequence: UInt64?
        var rows: [WireRow] = []
    }

    private let hello: WireHello
    private let credential: [UInt8]
    private var pages: [Int: Page] = [:]
    private var lastRequest: UInt64 = 0
    private var conversation = BrokerConversation()
    private var heard: Moment

    init(hello: WireHello, credential: [UInt8], at now: Moment) {
        self.hello = hello
        self.credential = credential
        heard = now
        conversation.greet(at: now)
    }

    var isWelcome: Bool { conversation.isWelcomed }

    /// Whether all of these pages have been read.
    func hasRead(_ wanted: [Int]) -> Bool {
        isWelcome && wanted.allSatisfy { pages[$0]?.read != nil }
    }

    /// What a frame of the broker has brought.
    enum Result {
        case nothing
        /// The broker knows this session now, and nothing that it was told before.
        case welcomed
        case page(Int, [WireRow])
        case refused(String)
    }

    /// Sets the pages to read; returns the topics to subscribe to and those to unsubscribe from.
    mutating func watch(_ wanted: Set<Int>) -> (new: [Topic], old: [Topic]) {
        let old = pages.keys.filter { !wanted.contains($0) }
        let new = wanted.filter { pages[$0] == nil }
        for page in old { pages[page] = nil }
        for page in new { pages[page] = Page() }
        return (new.map { .board(page: $0) }, old.map { .board(page: $0) })
    }

    /// Has every page read again, as what was read is out of date.
    mutating func readAgain() {
        for page in pages.keys { pages[page] = Page(heard: pages[page]?.heard) }
    }

    mutating func receive(_ update: WireUpdate, of topic: Topic, at now: Moment) {
        heard = now
        guard case .board(let page) = topic else { return }
        pages[page]?.heard = update.sequence
    }

    mutating func receive(_ frame: WireBrokerFrame, at now: Moment) -> Result {
        heard = now
        switch frame.body {
        case .who:
            conversation.asked(at: now)
        case .welcome(let welcome):
            conversation.welcomed(welcome, at: now)
            readAgain()
            return .welcomed
        case .snapshot(let chunk):
            return receive(chunk)
        case .refusal(let refusal):
            if conversation.stage == .greeting { conversation.putOff(at: now) }
            for page in pages.keys where pages[page]?.reading?.request == refusal.request {
                pages[page]?.reading = nil
            }
            return .refused(refusal.sentence)
        default:
            break
        }
        return .nothing
    }

    private mutating func receive(_ chunk: WireSnapshotChunk) -> Result {
        // Over the keys alone: the optimizer of Swift 6.3.1 ends with an error at pairs here.
        guard let page = pages.keys.first(where: { pages[$0]?.reading?.request == chunk.request }),
            var reading = pages[page]?.reading
        else { return .nothing }
        reading.sequence = reading.sequence ?? chunk.sequence
        reading.rows += chunk.rows
        guard chunk.last || chunk.cursorBytes.isEmpty else {
            pages[page]?.reading = reading
            requests.append(request(page, cursor: chunk.cursorBytes, reading.request))
            return .nothing
        }
        pages[page]?.reading = nil
        // A broker that is still settling shows fewer jobs than before.
        guard !chunk.settling else { return .nothing }
        pages[page]?.read = reading.sequence
        return .page(page, reading.rows)
    }

    /// Takes the frames to send now.
    mutating func takeFrames(at now: Moment) -> [WireClientFrame] {
        if now.seconds(since: heard) > Self.patience {
            heard = now
            conversation.greet(at: now)
        }
        let upkeep = conversation.takeFrame(hello: hello, at: now)
        defer { requests = [] }
        guard isWelcome else { return upkeep.map { [frame($0)] } ?? [] }
        if let upkeep { requests.append(upkeep) }
        for (page, state) in pages where isDue(state, at: now) {
            lastRequest += 1
            pages[page]?.askedAt = now
            pages[page]?.reading = Reading(request: lastRequest)
            requests.append(request(page, cursor: [], lastRequest))
        }
        return requests.map(frame)
    }

    /// The socket did not take hello.
    mutating func notSent(at now: Moment) { conversation.notSent(at: now) }

    /// A frame for the broker.
    func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = credential
        frame.body = body
        return frame
    }

    private var requests: [WireClientFrame.OneOf_Body] = []

    private func isDue(_ page: Page, at now: Moment) -> Bool {
        // Before the first beat the broker may not know of the subscription: changes would be
        // missed.
        guard let heard = page.heard else { return false }
        let waited = page.askedAt.map { now.seconds(since: $0) } ?? .infinity
        guard page.reading == nil else { return waited >= Self.patience }
        return waited >= (heard == page.read ? Self.renewedEvery : Self.every)
    }

    private func request(
        _ page: Int,
        cursor: [UInt8],
        _ number: UInt64
    ) -> WireClientFrame.OneOf_Body {
        var request = WireSnapshotRequest()
        request.request = number
        request.topic = Topic.board(page: page).name
        request.cursorBytes = cursor
        return .snapshot(request)
    }
}
