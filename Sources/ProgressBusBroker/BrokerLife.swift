import BrokerCore
import BrokerJournal
import BusProtocol
import Essentials
import Logging
import TaskTree
import ZeroMQ

/// One life of a broker, from taking its lock to releasing it, on the thread that calls `run()`.
struct BrokerLife {
    let configuration: BrokerConfiguration
    let logger: Logger
    let inbox: LoopInbox
    let environment = ProcessInfo.processInfo.environment

    /// Descriptors for the broker's sockets, threads and journal.
    private static let ownDescriptors = 40
    /// How long a failing disk may delay the end, in seconds.
    private static let journalPatience = 5.0

    func run() throws(BrokerError) {
        var core = try configuration.core(version: ProgressBusVersion.text)
        core.bootID = ProcessFile.bootID
        core.pidNamespace = ProcessFile.pidNamespace()
        let (endpoint, origin) = try resolvedEndpoint()
        let stateDirectory = JournalLocation(
            of: endpoint,
            explicit: configuration.stateDirectory,
            environment: environment
        ).directory
        var lock = try takeLock(of: endpoint, stateDirectory: stateDirectory)
        let access = try openAccess(to: endpoint, stateDirectory: stateDirectory)
        let admission = checkDescriptors()
        // A limit above the default is the user's decision: such sessions share connections, and
        // the gate bounds those.
        if core.sessions <= BrokerLimits().sessions {
            core.sessions = min(
                core.sessions,
                admission.sessions(besides: OpenDescriptors.count() + Self.ownDescriptors)
            )
        }
        logger.info(
            "beginning",
            metadata: [
                "endpoint": "\(endpoint)", "origin": "\(origin)", "state": "\(stateDirectory)",
                "version": "\(ProgressBusVersion.text)", "libzmq": "\(ZeroMQVersion.text)",
            ]
        )
        life: while true {
            // The sockets close within this call; only then may another broker bind.
            let ending = try serve(
                endpoint,
                lock: lock.identity,
                stateDirectory: stateDirectory,
                core: core,
                access: access,
                admission: admission
            )
            switch ending {
            case .stopped, .idle: break life
            case .journalFound, .renewed: break
            case .unfindable:
                do {
                    try makeDirectory(of: endpoint)
                    lock = try takeLock(of: endpoint, stateDirectory: stateDirectory)
                } catch  where error.code == .alreadyRunning {
                    logger.notice(
                        "leaving: another broker serves by now",
                        metadata: ["endpoint": "\(endpoint)"]
                    )
                    break life
                }
            }
            // Sessions repeat everything that was not acknowledged.
            inbox.beginAgain()
        }
        lock.release()
        logger.info("ended", metadata: ["endpoint": "\(endpoint)"])
    }

    private func serve(
        _ endpoint: BusEndpoint,
        lock: FileIdentity?,
        stateDirectory: String,
        core: CoreConfiguration,
        access: AccessKeeper?,
        admission: AdmissionRule
    ) throws(BrokerError) -> BrokerLoop.Ending {
        if let access { takeNextKey(of: access) }
        let keeper = JournalKeeper(
            directory: stateDirectory,
            warn: { [logger] in logger.warning("\($0)") },
            found: { [inbox] in inbox.foundJournal() }
        )
        let entries = keeper.begin()
        let epoch = UInt64.random(in: 1...UInt64.max)
        let machine = BrokerMachine(
            configuration: core,
            epoch: epoch,
            ownSession: .random(),
            journal: entries,
            now: Clocks.now,
            unixTime: Clocks.unixTime
        )
        let trouble = JournalTrouble(inbox: inbox, logger: logger)
        let journalThread = JournalThread(
            keeper: keeper,
            committed: { [inbox] batches in
                trouble.isOver()
                inbox.journalled(batches)
            },
            failed: { error, _ in trouble.failed(error) }
        )
        do throws(ZeroMQError) {
            try journalThread.start()
        } catch {
            keeper.close()
            throw BrokerError(.endpointUnusable, "The broker cannot serve \(endpoint): \(error).")
        }
        defer { keeper.close() }
        var door: BrokerThread?
        // Stops after the sockets have closed: they announce their connections to this thread.
        defer { door?.stop() }
        do {
            let sockets = BrokerSockets(
                endpoint: endpoint,
                context: try BrokerSockets.makeContext(),
                backlog: admission.backlog,
                isGuarded: endpoint.lockPath != nil || access != nil,
                secret: access?.secret
            )
            if let access {
                door = try KeyHandler(access: access, sockets: sockets, logger: logger).start()
            } else if sockets.isGuarded {
                let gate = AdmissionGate(rule: admission, sockets: sockets, logger: logger)
                door = try gate.start()
            }
            var loop = try makeLoop(
                sockets,
                admission,
                access,
                lock: lock,
                machine: machine,
                journal: journalThread
            )
            if let access { try makeAdmin(of: access, at: endpoint) }
            let notifier = ServiceNotifier(environment: environment)
            notifier.send("READY=1", "STATUS=Listening at \(endpoint)")
            logger.notice(
                "listening",
                metadata: [
                    "endpoint": "\(endpoint)", "epoch": "\(epoch)",
                    "journal_entries": "\(entries.count)",
                ]
            )
            let ending = try loop.run()
            notifier.send("STOPPING=1")
            logger.notice("ending", metadata: ["why": "\(ending.rawValue)"])
            try loop.drain()
            let patience = ending == .journalFound ? 0 : Self.journalPatience
            if !journalThread.finish(within: patience), ending != .journalFound {
                logger.error("the journal could not be completed; unacknowledged endings are lost")
            }
            try loop.acknowledgeAndClose()
            return ending
        } catch {
            // Batches that were submitted are committed even if the broker cannot go on.
            _ = journalThread.finish(within: Self.journalPatience)
            if let error = error as? BrokerError { throw error }
            throw BrokerError(
                .endpointUnusable,
                "The broker cannot serve \(endpoint): \(error)."
            )
        }
    }

    /// Binds control last, so that a client that reaches it also finds the other two sockets.
    private func makeLoop(
        _ sockets: BrokerSockets,
        _ admission: AdmissionRule,
        _ access: AccessKeeper?,
        lock: FileIdentity?,
        machine: BrokerMachine,
        journal: JournalThread
    ) throws(ZeroMQError) -> BrokerLoop {
        let queue = try ReportQueue(wake: inbox.wake)
        let ingress = try ReportIngress(sockets: sockets, queue: queue, inbox: inbox).start()
        do {
            let updates = try sockets.bindUpdates()
            let control = try sockets.bindControl()
            return BrokerLoop(
                machine: machine,
                control: control,
                updates: updates,
                reports: queue,
                ingress: ingress,
                inbox: inbox,
                journal: journal,
                idleExit: configuration.idleExit,
                isLocal: sockets.endpoint.controlPath != nil,
                access: access,
                tickSeconds: Double(configuration.tick) / 1_000,
                files: sockets.endpoint.lockPath.map {
                    EndpointFiles(
                        lockPath: $0,
                        lock: lock,
                        sockets: sockets.paths,
                        lastLook: Clocks.now
                    )
                },
                logger: logger,
                spool: sockets.endpoint.spoolPath.map {
                    SpoolCollector(path: $0, logger: logger, now: Clocks.now)
                },
                processes: ProcessWatcher(limit: admission.processes),
                killSwitch: KillSwitch(environment: environment),
                subscriptions: SubscriptionBook(
                    limit: configuration.limits.subscriptionsPerConnection,
                    topicLimit: configuration.limits.topics
                )
            )
        } catch {
            ingress.stop()
            throw error
        }
    }

    private func resolvedEndpoint() throws(BrokerError) -> (endpoint: BusEndpoint, origin: String) {
        let resolved: (endpoint: BusEndpoint, origin: String)
        do {
            resolved = try BusEndpoint.resolve(
                explicit: configuration.endpoint,
                environment: environment
            )
        } catch {
            throw BrokerError(.endpointUnusable, "\(error)")
        }
        if let bus = resolved.endpoint.membership {
            throw BrokerError(
                .endpointUnusable,
                "\(bus.bus) is a bus that this user has joined; a broker needs the address that it was "
                    + "first started with, as in --endpoint tcp://0.0.0.0:7700 --bus \(bus.bus)."
            )
        }
        try makeDirectory(of: resolved.endpoint)
        return resolved
    }

    private func makeDirectory(of endpoint: BusEndpoint) throws(BrokerError) {
        do {
            try endpoint.createDirectory()
        } catch {
            throw BrokerError(.endpointUnusable, "\(error)")
        }
    }

    private func takeLock(
        of endpoint: BusEndpoint,
        stateDirectory: String
    ) throws(BrokerError) -> LockFile {
        let path: String
        if let lockPath = endpoint.lockPath {
            path = lockPath
        } else {
            // A tcp endpoint has no directory of its own.
            path = stateDirectory + "/lock"
            do {
                try StateDirectory.make(stateDirectory)
            } catch {
                throw BrokerError(.stateUnusable, error.sentence)
            }
        }
        do {
            return try LockFile(path: path)
        } catch {
            switch error {
            case .held(let pid):
                let holder = pid.map { "process \($0)" } ?? "another process"
                throw BrokerError(
                    .alreadyRunning,
                    "A broker already runs at \(endpoint): \(holder) holds \(path). Use that one, "
                        + "end it, or choose another endpoint.",
                    pid: pid
                )
            case .system(let call, let reason):
                throw BrokerError(
                    .endpointUnusable,
                    "The lock file \(path) cannot be used (\(call): \(reason)); make its directory "
                        + "writable or choose another endpoint."
                )
            }
        }
    }

    private func checkDescriptors() -> AdmissionRule {
        let rule = AdmissionRule(
            limit: DescriptorLimit.raise() ?? AdmissionRule.comfortable,
            perProcess: configuration.limits.connectionsPerProcess
        )
        guard rule.limit < AdmissionRule.comfortable else { return rule }
        logger.warning(
            "few files may be open: raise the hard limit (ulimit -Hn) before many clients connect",
            metadata: ["limit": "\(rule.limit)"]
        )
        return rule
    }
}
