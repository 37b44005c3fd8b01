package import BusProtocol
import TaskTree
import ZeroMQ

/// Why a bus with keys does not do what was asked about its members.
package struct AccessError: Error, Sendable {
    package enum Reason: Sendable {
        /// The broker says no.
        case refused
        /// There was no answer.
        case unreachable
    }

    package let reason: Reason
    /// What was wrong, and what to do about it.
    package let sentence: String
}

/// What a broker with keys has answered.
package struct AccessReply: Sendable {
    package let answer: WireAccessAnswer
    /// The key that the broker will have next, where it will have another one.
    package let nextKey: BusKey?
}

/// One request about who may speak with a broker, on the caller's thread.
package enum AccessExchange {
    /// Asks until there is an answer; blocks for so many seconds at most.
    package static func ask(
        _ operation: WireAccessRequest.OneOf_Operation,
        of endpoint: BusEndpoint,
        within seconds: Double
    ) throws(AccessError) -> AccessReply {
        var question = AccessQuestion(operation, at: endpoint.controlAddress)
        let reply: Result<AccessReply, AccessError>
        do {
            reply = try ControlExchange.ask(
                &question,
                of: endpoint,
                within: seconds,
                meanwhile: {}
            )
        } catch {
            throw AccessError(reason: .unreachable, sentence: error.description)
        }
        let found = try reply.get()
        guard found.answer.code == 0 else {
            throw AccessError(reason: .refused, sentence: found.answer.sentence)
        }
        return found
    }
}

/// To be repeated unchanged until it is answered: nothing happens twice by it.
private struct AccessQuestion: ControlQuestion {
    /// Seconds between two repetitions.
    private static let repeatEvery = 1.0
    private static let number: UInt64 = 1

    let frame: WireClientFrame
    private let address: String
    private var due = Moment(nanoseconds: 0)

    init(_ operation: WireAccessRequest.OneOf_Operation, at address: String) {
        self.address = address
        var request = WireAccessRequest()
        request.request = Self.number
        request.operation = operation
        // There is no session; any 16 bytes will do.
        frame = WireClientFrame(credential: SessionCredential.random().bytes, .access(request))
    }

    func isDue(at now: Moment) -> Bool { due <= now }

    mutating func sent(at now: Moment) {
        due = now.advanced(bySeconds: Self.repeatEvery)
    }

    func answer(in frame: WireBrokerFrame) -> Result<AccessReply, AccessError>? {
        switch frame.body {
        case .access(let answer) where answer.request == Self.number:
            .success(AccessReply(answer: answer, nextKey: frame.nextPublicKey))
        case .refusal(let refusal): refused(refusal.sentence)
        default: nil
        }
    }

    func refused(_ sentence: String) -> Result<AccessReply, AccessError> {
        .failure(AccessError(reason: .refused, sentence: sentence))
    }

    var silence: Result<AccessReply, AccessError> {
        .failure(
            AccessError(
                reason: .unreachable,
                sentence: "there was no answer from \(address): is the broker running, and "
                    + "reachable from here?"
            )
        )
    }
}
