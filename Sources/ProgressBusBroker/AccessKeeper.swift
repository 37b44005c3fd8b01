import BrokerCore
import BusProtocol
import Synchronization
import ZeroMQ

/// The members and invitations of a broker with keys, in memory and in the file `access`.
///
/// The loop asks it about every frame, ``KeyHandler`` about every handshake. Safe to use from any
/// thread.
final class AccessKeeper: Sendable {
    private struct State {
        var contents: AccessFile
        var refused = RefusedAttempts()
    }

    private let file: PrivateFile
    private let state: Mutex<State>

    private init(_ contents: AccessFile, file: PrivateFile) {
        self.file = file
        state = Mutex(State(contents: contents))
    }

    /// Reads the file in the state directory; if there is none, makes a key and writes the file.
    static func open(in directory: String) throws(BrokerError) -> AccessKeeper {
        let file = PrivateFile(directory + "/access")
        let bytes: [UInt8]?
        do {
            bytes = try file.read(limit: AccessFile.byteLimit)
        } catch .missing {
            bytes = nil
        } catch {
            throw Self.unusable(file, error)
        }
        if let bytes {
            guard let contents = AccessFile(parsing: String(decoding: bytes, as: UTF8.self)) else {
                throw BrokerError(
                    .stateUnusable,
                    "\(file.path) says who may speak with this broker and is damaged: restore it, or "
                        + "remove it and invite everybody anew."
                )
            }
            return AccessKeeper(contents, file: file)
        }
        guard let secret = newKeys()?.secret else {
            throw BrokerError(
                .systemLimit,
                "This libzmq has no CURVE, so that a tcp endpoint cannot be protected; use an ipc "
                    + "endpoint, or another libzmq."
            )
        }
        let keeper = AccessKeeper(AccessFile(secret: secret), file: file)
        do {
            try keeper.save()
        } catch {
            throw Self.unusable(file, error)
        }
        return keeper
    }

    private static func unusable(_ file: PrivateFile, _ why: PrivateFile.Failure) -> BrokerError {
        BrokerError(.stateUnusable, "\(file.path) cannot be used: \(why).")
    }

    /// The secret key by which the sockets prove that they are the broker's.
    var secret: BusKey { state.withLock { $0.contents.secret } }

    /// The public half of the broker's key.
    var publicKey: BusKey? { SocketKeys.publicKey(of: secret.bytes).flatMap { BusKey($0) } }

    /// Whether there is no admin yet whose key does not expire.
    var hasNoAdmin: Bool {
        state.withLock { state in
            !state.contents.list.members.values.contains { $0.role == .admin && $0.expires == nil }
        }
    }

    /// Enters the first admin with this key, and writes the file.
    func begin(with admin: BusKey, called name: String) throws(PrivateFile.Failure) {
        state.withLock {
            let member = AccessList.Member(name: name, role: .admin, since: Clocks.unixSeconds)
            $0.contents.list.restore(admin, member)
        }
        try save()
    }

    /// The member that has sent a frame; throws if its role does not allow what the frame says.
    func sender(
        of body: WireClientFrame.OneOf_Body?,
        with key: BusKey?
    ) throws(ProtocolViolation) -> String {
        try state.withLock { state throws(ProtocolViolation) in
            try state.contents.list.sender(of: body, with: key, at: Clocks.unixSeconds)
        }
    }

    /// The member with this key, if its role has the right.
    func member(_ key: BusKey?, allowedTo right: Right) -> String? {
        state.withLock {
            $0.contents.list.member(key, allowedTo: right, at: Clocks.unixSeconds)
        }
    }

    /// Whether a connection with this key is let in at a socket; counts the attempt if it is not.
    func admits(_ key: BusKey?, from address: String, at door: AccessDoor) -> Bool {
        let now = Clocks.unixSeconds
        return state.withLock { state in
            let isAdmitted =
                switch key.map({ state.contents.list.standing(of: $0, at: now) }) ?? .unknown {
                case .unknown: false
                case .invited: door == .control
                case .member(let member): door.right.map(member.role.allows) ?? true
                }
            if !isAdmitted { state.refused.add(address, at: now) }
            return isAdmitted
        }
    }

    /// Whether connections from this address are to be cut before their handshake.
    func holdsOff(_ address: String) -> Bool {
        state.withLock { $0.refused.holdsOff(address, at: Clocks.unixSeconds) }
    }

    /// Attempts to connect that were refused since the broker began.
    var refusedCount: UInt64 { state.withLock { $0.refused.count } }

    /// Carries out a request about access that came with this key.
    func apply(_ request: WireAccessRequest, of key: BusKey) -> AccessList.Outcome {
        if case .renewBroker = request.operation, let keys = Self.newKeys() {
            let own = publicKey
            return state.withLock {
                let now = Clocks.unixSeconds
                return $0.contents.renew(request, by: key, own: own, fresh: keys, at: now)
            }
        }
        return state.withLock {
            let now = Clocks.unixSeconds
            return $0.contents.list.apply(request, of: key, refused: $0.refused, at: now)
        }
    }

    /// The public key that the broker will take next; `nil` if it keeps the present one.
    var nextKey: BusKey? { state.withLock { $0.contents.next?.keys.public } }

    /// Whether the next key is due now: the sockets must be opened anew to use it.
    var isNextKeyDue: Bool { state.withLock { $0.contents.isNextDue(at: Clocks.unixSeconds) } }

    /// Makes the next key the broker's own if it is due; returns whether it was.
    func takeNextKey() -> Bool {
        state.withLock { $0.contents.takeNext(at: Clocks.unixSeconds) }
    }

    static func newKeys() -> BusKeyPair? {
        guard let pair = SocketKeys.newPair(), let own = BusKey(pair.public),
            let secret = BusKey(pair.secret)
        else { return nil }
        return BusKeyPair(public: own, secret: secret)
    }

    /// Forgets invitations and replaced keys that have expired; returns their keys.
    func prune() -> Set<BusKey> {
        state.withLock { $0.contents.list.prune(at: Clocks.unixSeconds) }
    }

    /// Writes the whole file; if that fails, the old file stays.
    func save() throws(PrivateFile.Failure) {
        let text = state.withLock { $0.contents.text }
        try file.write(Array(text.utf8))
    }
}

/// A socket of the broker at which a client may be let in or refused.
enum AccessDoor: String, CaseIterable {
    case control, updates, reports

    /// The right that a member needs here; `nil` lets in all members, and invited keys too.
    var right: Right? {
        switch self {
        case .control: nil
        case .updates: .read
        case .reports: .report
        }
    }
}
