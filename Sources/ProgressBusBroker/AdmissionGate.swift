import BusProtocol
import CLibrary
import Logging
import TaskTree
import ZeroMQ

/// Closes the ipc sockets to new connections before the process runs out of descriptors.
///
/// An ipc listener of libzmq that finds no descriptor ends the process.
///
/// The gate hears of every accepted connection. When as many descriptors are open as the rule
/// allows, it renames the sockets' paths: connected clients stay connected, new ones find no
/// listener and try again. Shortly before, it cuts the newest connections of each process that has
/// too many: otherwise one process could keep everybody out with idle connections. It counts them
/// only then, among the descriptors, and so needs no table of them. It also cuts the connections
/// that ``FloodWatch`` finds.
///
/// The gate has a thread of its own, because the loop may be busy when it matters; its work takes
/// microseconds. Should that thread get no processor for too long, the program's `CListenerGuard`
/// turns away the connections that libzmq cannot take; a library must not do that.
struct AdmissionGate: Sendable {
    /// Milliseconds between looks at the number of descriptors while the door is closed.
    private static let patience = 50
    /// Seconds between two lines about floods.
    private static let silence = 10.0
    static let suffix = ".full"

    let rule: AdmissionRule
    let sockets: BrokerSockets
    let logger: Logger

    /// Starts the gate's thread, under the endpoint's lock and before the sockets are bound.
    ///
    /// To be stopped once the sockets have been closed.
    func start() throws(ZeroMQError) -> BrokerThread {
        forget()
        return try BrokerThread("admission", wake: WakeUp()) { thread in
            run(thread)
            forget()
        }
    }

    private func run(_ thread: BrokerThread) {
        do {
            let first = try sockets.listen(to: 0)
            let second = try sockets.listen(to: 1)
            let third = try sockets.listen(to: 2)
            thread.begin()
            var items = [
                .descriptor(thread.wake.descriptor), first.pollItem, second.pollItem,
                third.pollItem,
            ]
            var floods = FloodWatch()
            if let item = floods.pollItem { items.append(item) }
            var restItems = Array(items.prefix(4))
            var nextLook = Clocks.now
            var nextWord = nextLook
            var nextCut = nextLook
            var count = Count(open: OpenDescriptors.count(), since: 0)
            var isClosed = false
            while !thread.isStopping {
                if floods.isBusy {
                    // Without the item of `floods`, which would wake this thread for each message
                    // of a flood.
                    _ = try poll(&restItems, timeout: FloodWatch.pause)
                } else {
                    _ = try poll(&items, timeout: isClosed ? Self.patience : -1)
                }
                thread.wake.drain()
                let viewers = try take(second)
                for viewer in viewers { floods.add(viewer) }
                if !floods.isBusy || Clocks.now >= nextLook {
                    for flood in floods.look() {
                        flood.cut()
                        if Clocks.now < nextWord { continue }
                        nextWord = Clocks.now.advanced(bySeconds: Self.silence)
                        logger.warning("a viewer was cut off: it subscribed without a pause")
                    }
                    nextLook = Clocks.now.advanced(bySeconds: Double(FloodWatch.pause) / 1_000)
                }
                let accepted = try take(first).count + viewers.count + take(third).count
                // The broker may open one more descriptor for the process of each connection.
                count.since += 2 * accepted
                guard isClosed || count.open + count.since >= rule.looksAt(count.open) else {
                    continue
                }
                count = Count(open: OpenDescriptors.count(), since: 0)
                if count.open >= rule.opensAt { cutExcess(nextWord: &nextCut) }
                if !isClosed, count.open >= rule.closesAt {
                    isClosed = true
                    close(at: count.open)
                } else if isClosed, count.open <= rule.opensAt {
                    isClosed = false
                    open(at: count.open)
                }
            }
        } catch {
            logger.error("connections are no longer counted", metadata: ["why": "\(error)"])
            thread.begin(error)
        }
    }

    private struct Count {
        /// Descriptors when they were last counted.
        var open: Int
        /// How many may have been opened since then, at most.
        var since: Int
    }

    /// The descriptors of the connections that were accepted.
    private func take(_ socket: borrowing ZeroMQSocket) throws(ZeroMQError) -> [Int32] {
        var accepted: [Int32] = []
        while let (event, descriptor) = try socket.receiveEvent() {
            if event == .accepted { accepted.append(descriptor) }
        }
        return accepted
    }

    /// Ends the connections that single processes have too many; libzmq closes them in a moment.
    private func cutExcess(nextWord: inout Moment) {
        let processes = PeerConnection.byProcess(
            among: OpenDescriptors.all(),
            acceptedAt: sockets.paths
        )
        for (process, connections) in rule.excess(of: processes) {
            for connection in connections { connection.cut() }
            if Clocks.now < nextWord { continue }
            nextWord = Clocks.now.advanced(bySeconds: Self.silence)
            logger.warning(
                "a process lost its newest connections: it left no room for others",
                metadata: [
                    "pid": "\(process)", "cut": "\(connections.count)",
                    "kept": "\(rule.keptPerProcess)",
                ]
            )
        }
    }

    private func close(at open: Int) {
        for path in sockets.paths { rename(path, path + Self.suffix) }
        logger.warning(
            """
            too many connections: new ones wait until some have gone; raise the hard limit of open \
            files (ulimit -Hn)
            """,
            metadata: ["open": "\(open)", "allowed": "\(rule.closesAt)", "limit": "\(rule.limit)"]
        )
    }

    private func open(at open: Int) {
        for path in sockets.paths { rename(path + Self.suffix, path) }
        logger.notice("new connections are taken again", metadata: ["open": "\(open)"])
    }

    /// Removes the renamed sockets of a broker that ended while its door was closed.
    private func forget() {
        for path in sockets.paths { unlink(path + Self.suffix) }
    }
}

/// How many descriptors the process has open.
enum OpenDescriptors {
    /// Where `/dev/fd` cannot be read, the descriptors below this one are tried one by one.
    private static let tried: Int32 = 65_536

    /// Counts the open descriptors; `Int32.max` if none is left to open `/dev/fd` with.
    static func count() -> Int {
        guard let directory = opendir("/dev/fd") else {
            return errno == EMFILE || errno == ENFILE ? Int(Int32.max) : tryAll().count
        }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Itself, `.` and `..`.
        return max(0, count - 3)
    }

    /// All open descriptors in ascending order, which as a rule is the order of their ages.
    static func all() -> [Int32] {
        guard let directory = opendir("/dev/fd") else { return tryAll() }
        defer { closedir(directory) }
        var all: [Int32] = []
        while let entry = readdir(directory) {
            let number = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { Int32(String(cString: $0)) }
            }
            if let number, number != dirfd(directory) { all.append(number) }
        }
        return all.sorted()
    }

    private static func tryAll() -> [Int32] {
        (0..<tried).filter { fcntl($0, F_GETFD) != -1 }
    }
}
