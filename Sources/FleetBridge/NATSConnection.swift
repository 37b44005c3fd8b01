import CLibrary
import CNats
import FleetCore
import Synchronization

/// A connection to NATS, made again whenever it is lost, and the stream of one bus.
///
/// Every call into libnats is in this file, but for the names of errors. libnats' threads put what
/// arrives into the inbox.
//
// @unchecked Sendable: libnats' connections and contexts may be used from any thread, the inbox and
// `retired` are Sendable, and the pointers are set once.
final class NATSConnection: @unchecked Sendable {
    private var connection: OpaquePointer?
    private var context: OpaquePointer?
    private let subjects: FleetSubjects
    private let stream: String
    private let inbox: NATSInbox
    /// The pointer to the inbox that libnats' threads get; it retains the inbox until the process
    /// ends.
    private let opaque: UnsafeMutableRawPointer
    /// How many servers keep a copy of the stream.
    private let replicas: Int
    /// Addresses of subscriptions that have ended, newest last; a pointer would not be Sendable.
    private let retired = Mutex<[UInt]>([])
    private static let mostRetired = 4
    /// Milliseconds that an answer of JetStream may take.
    private static let patience: Int64 = 5_000

    init(
        to address: NATSAddress,
        bus: String,
        broker: UInt64,
        replicas: Int,
        inbox: NATSInbox
    ) throws(NATSError) {
        subjects = FleetSubjects(bus: bus)
        stream = "PB1_" + bus
        self.replicas = replicas
        self.inbox = inbox
        opaque = Unmanaged.passRetained(inbox).toOpaque()
        var options: OpaquePointer?
        try natsOptions_Create(&options).check("natsOptions_Create")
        defer { natsOptions_Destroy(options) }
        try Self.fill(options, with: address)
        try fill(options)
        let status = natsConnection_Connect(&connection, options)
        // Not reached yet: libnats goes on trying.
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED else {
            throw NATSError(status: status, call: "natsConnection_Connect")
        }
        try openContext()
        for name in subjects.read(by: broker) {
            // libnats keeps the subscription for as long as the connection.
            var subscription: OpaquePointer?
            let status = natsConnection_Subscribe(
                &subscription,
                connection,
                name,
                Self.arrived,
                opaque
            )
            // The connection may be closed already: `closed` tells the inbox why.
            guard status != NATS_CONNECTION_CLOSED else { break }
            try status.check("natsConnection_Subscribe")
        }
        if status == NATS_OK {
            inbox.add(.connected)
        } else if !natsConnection_IsClosed(connection) {
            let servers = address.servers.joined(separator: ", ")
            inbox.warn("NATS is not reached at \(servers); the bridge goes on trying")
        }
    }

    private func fill(_ options: OpaquePointer?) throws(NATSError) {
        for (status, call) in [
            (natsOptions_SetName(options, "progressbus-fleet"), "SetName"),
            // Without this option a message waits 0.9 ms for libnats' thread.
            (natsOptions_SetSendAsap(options, true), "SetSendAsap"),
            (natsOptions_SetNoEcho(options, true), "SetNoEcho"),
            (natsOptions_SetMaxReconnect(options, -1), "SetMaxReconnect"),
            (natsOptions_SetReconnectWait(options, 250), "SetReconnectWait"),
            // With TLS each connection costs the servers more.
            (natsOptions_SetReconnectJitter(options, 250, 1_000), "SetReconnectJitter"),
            // Without this option a server that takes no data would block the bridge, and keep
            // libnats from noticing it.
            (natsOptions_SetWriteDeadline(options, 2_000), "SetWriteDeadline"),
            // A server that does not answer is left after 3 to 4 s.
            (natsOptions_SetPingInterval(options, 1_000), "SetPingInterval"),
            (natsOptions_SetMaxPingsOut(options, 3), "SetMaxPingsOut"),
            (
                natsOptions_SetRetryOnFailedConnect(options, true, Self.connected, opaque),
                "SetRetryOnFailedConnect"
            ),
            (natsOptions_SetReconnectedCB(options, Self.connected, opaque), "SetReconnectedCB"),
            (
                natsOptions_SetDisconnectedCB(options, Self.disconnected, opaque),
                "SetDisconnectedCB"
            ),
            (natsOptions_SetClosedCB(options, Self.closed, opaque), "SetClosedCB"),
            (natsOptions_SetErrorHandler(options, Self.failed, opaque), "SetErrorHandler"),
        ] {
            try status.check("natsOptions_" + call)
        }
    }

    private static func fill(
        _ options: OpaquePointer?,
        with address: NATSAddress
    ) throws(NATSError) {
        let names = address.servers.map { strdup($0) }
        defer { names.forEach { free($0) } }
        var servers = names.map { UnsafePointer<CChar>($0) }
        try natsOptions_SetServers(options, &servers, Int32(servers.count))
            .check("natsOptions_SetServers")
        if let file = address.credentials, address.hasCertificate {
            try natsOptions_LoadCertificatesChain(options, file, file)
                .check(
                    "\(file) has no certificate and key that can be used; `progressbus bus add` prints both"
                )
        } else if let file = address.credentials {
            try natsOptions_SetUserCredentialsFromFiles(options, file, nil)
                .check("\(file) has no credentials that can be used")
        }
        if let file = address.trusted {
            try natsOptions_LoadCATrustedCertificates(options, file)
                .check("\(file) has no certificate that can be trusted")
        }
    }

    private func openContext() throws(NATSError) {
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = Self.patience
        options.PublishAsync.AckHandler = Self.answered
        options.PublishAsync.AckHandlerClosure = opaque
        options.PublishAsync.MaxPending = 10_000
        options.PublishAsync.StallWait = 1
        try natsConnection_JetStream(&context, connection, &options)
            .check("natsConnection_JetStream")
    }

    // MARK: - What is said

    /// Publishes the bytes; NATS hands them to the bridges that are connected, and keeps nothing.
    func publish(_ subject: FleetSubject, _ bytes: [UInt8]) {
        // An error is ignored: a message that is not kept may be lost.
        natsConnection_Publish(connection, subjects.name(subject), bytes, Int32(bytes.count))
    }

    /// Publishes the bytes for the stream to keep; the inbox gets the answer.
    func put(_ subject: FleetSubject, _ bytes: [UInt8], isFirst: Bool) {
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        options.MaxWait = Self.patience
        options.ExpectNoMessage = isFirst
        let name = subjects.name(subject)
        let status = js_PublishAsync(context, name, bytes, Int32(bytes.count), &options)
        if status != NATS_OK { inbox.add(.answered(subject, isKept: false)) }
    }

    // MARK: - What is kept

    /// Gives the inbox all that the stream has, and makes the stream where there is none.
    ///
    /// Waits for NATS, some seconds at most for each message.
    func readAll() throws(NATSError) {
        let end = try endOfStream()
        guard end > 0 else { return }
        var name: UnsafeMutablePointer<CChar>?
        try natsInbox_Create(&name).check("natsInbox_Create")
        defer { natsInbox_Destroy(name) }
        // Not by js_SubscribeSync, which destroys its subscription where NATS is late.
        var reading: OpaquePointer?
        try natsConnection_SubscribeSync(&reading, connection, name)
            .check("natsConnection_SubscribeSync")
        defer { retire(reading) }
        natsSubscription_SetPendingLimits(reading, -1, -1)
        try deliver(to: name)
        var (isOver, count) = (false, UInt64(0))
        while !isOver {
            var message: OpaquePointer?
            try natsSubscription_NextMsg(&message, reading, Self.patience)
                .check("natsSubscription_NextMsg")
            defer { natsMsg_Destroy(message) }
            var facts: UnsafeMutablePointer<jsMsgMetaData>?
            try natsMsg_GetMetaData(&facts, message).check("natsMsg_GetMetaData")
            defer { jsMsgMetaData_Destroy(facts) }
            count += 1
            let place = facts?.pointee.Sequence ?? jsSequencePair()
            guard place.Consumer == count else {
                throw NATSError(status: NATS_MISMATCH, call: "a message is missing")
            }
            inbox.add(message, isStored: true)
            // Records put meanwhile come by the subscriptions. The end is not where nothing is
            // left: the server that was asked may be behind the others.
            isOver = place.Stream >= end
        }
    }

    /// Has NATS send the newest message of each subject to an inbox while that has a subscriber.
    private func deliver(to inbox: UnsafePointer<CChar>?) throws(NATSError) {
        var config = jsConsumerConfig()
        jsConsumerConfig_Init(&config)
        config.AckPolicy = js_AckNone
        config.MemoryStorage = true
        config.Replicas = 1
        config.DeliverPolicy = js_DeliverLastPerSubject
        config.DeliverSubject = inbox
        let status = subjects.board.withCString { board in
            config.FilterSubject = board
            return js_AddConsumer(nil, context, stream, &config, nil, nil)
        }
        try status.check("js_AddConsumer")
    }

    /// Ends a subscription, and destroys the one that ended some readings ago.
    ///
    /// If a subscription is destroyed while a message for it comes, libnats up to 3.5.0 may still
    /// use it, and then receives nothing any more (nats.c issue 637).
    private func retire(_ subscription: OpaquePointer?) {
        guard let subscription else { return }
        natsSubscription_Unsubscribe(subscription)
        let former = retired.withLock { retired -> UInt? in
            retired.append(UInt(bitPattern: subscription))
            return retired.count > Self.mostRetired ? retired.removeFirst() : nil
        }
        natsSubscription_Destroy(former.flatMap { OpaquePointer(bitPattern: $0) })
    }

    /// The number of the newest message in the stream, 0 for none; makes the stream if there is
    /// none.
    private func endOfStream() throws(NATSError) -> UInt64 {
        var facts: UnsafeMutablePointer<jsStreamInfo>?
        let status = js_GetStreamInfo(&facts, context, stream, nil, nil)
        defer { jsStreamInfo_Destroy(facts) }
        // No stream is made where NATS does not answer, as after a partition.
        if status == NATS_NOT_FOUND {
            try makeStream()
            return 0
        }
        try status.check("js_GetStreamInfo")
        return facts.map { $0.pointee.State.Msgs > 0 ? $0.pointee.State.LastSeq : 0 } ?? 0
    }

    private func makeStream() throws(NATSError) {
        var code = jsErrCode(0)
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        config.MaxMsgsPerSubject = 1
        config.Replicas = Int64(replicas)
        config.Storage = js_FileStorage
        let kept = subjects.kept.map { strdup($0) }
        defer { kept.forEach { free($0) } }
        var names = kept.map { UnsafePointer<CChar>($0) }
        let made = stream.withCString { name in
            names.withUnsafeMutableBufferPointer { names in
                config.Name = name
                config.Subjects = names.baseAddress
                config.SubjectsLen = Int32(names.count)
                return js_AddStream(nil, context, &config, nil, &code)
            }
        }
        // The bridge of another host has made the stream meanwhile.
        guard code != JSStreamNameExistErr else { return }
        try made.check("js_AddStream")
    }

    // MARK: - On libnats' threads

    private static let arrived: natsMsgHandler = { _, _, message, context in
        NATSInbox.of(context)?.add(message, isStored: false)
        natsMsg_Destroy(message)
    }

    private static let answered: jsPubAckHandler = { _, message, success, _, context in
        NATSInbox.of(context)?.answer(message, isKept: success != nil)
        natsMsg_Destroy(message)
    }

    private static let connected: natsConnectionHandler = { _, context in
        NATSInbox.of(context)?.add(.connected)
    }

    private static let disconnected: natsConnectionHandler = { _, context in
        NATSInbox.of(context)?.add(.disconnected)
        NATSInbox.of(context)?.warn("the connection to NATS is lost; the bridge goes on trying")
    }

    /// libnats gives up where the servers have refused this host twice.
    private static let closed: natsConnectionHandler = { connection, context in
        NATSInbox.of(context)?.warn(
            words(connection, NATS_CONNECTION_CLOSED)
                + ": this host's key was removed or replaced, or the key or the certificates that it "
                + "trusts are those of another fleet"
        )
        NATSInbox.of(context)?.close()
    }

    private static let failed: natsErrHandler = { connection, _, status, context in
        NATSInbox.of(context)?.warn(words(connection, status))
        if status == NATS_NOT_PERMITTED {
            NATSInbox.of(context)?.warn(
                "either this host's key is for another bus or another host: compare --bus, or the lines bus "
                    + "and broker of the fleet file, with what `progressbus bus add` printed; or the "
                    + "server does not allow what a host needs: `progressbus bus up` writes that anew"
            )
        }
        if status == NATS_SLOW_CONSUMER { NATSInbox.of(context)?.add(.missed) }
    }

    private static func words(_ connection: OpaquePointer?, _ status: natsStatus) -> String {
        var text: UnsafePointer<CChar>?
        natsConnection_GetLastError(connection, &text)
        let words = [natsStatus_GetText(status), text].compactMap { $0 }.map {
            String(cString: $0)
        }
        return "NATS says: " + words.joined(separator: ", ")
    }
}

extension NATSInbox {
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> NATSInbox? {
        context.map { Unmanaged<NATSInbox>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func add(_ message: OpaquePointer?, isStored: Bool) {
        guard let name = natsMsg_GetSubject(message) else { return }
        let count = Int(natsMsg_GetDataLength(message))
        let bytes = natsMsg_GetData(message).map { data in
            data.withMemoryRebound(to: UInt8.self, capacity: count) {
                Array(UnsafeBufferPointer(start: $0, count: count))
            }
        }
        add(subject: String(cString: name), bytes: bytes ?? [], isStored: isStored)
    }

    fileprivate func answer(_ message: OpaquePointer?, isKept: Bool) {
        guard let name = natsMsg_GetSubject(message) else { return }
        answer(subject: String(cString: name), isKept: isKept)
    }
}
