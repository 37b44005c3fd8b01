package import BusProtocol
import TaskTree
import ZeroMQ

/// Why a request to a broker with keys, about its members, has failed.
package struct AccessError: Error, Sendable {
    package enum Reason: Sendable {
        /// The broker says no.
        case refused
        /// There was no answer, or no socket or key could be made.
        case unreachable
    }

    package let reason: Reason
    /// What was wrong, and what to do about it.
    package let sentence: String
}

/// What a broker with keys has answered.
package struct AccessReply: Sendable {
    package let answer: WireAccessAnswer
    /// The broker's next key, if it is about to change its key.
    package let nextKey: BusKey?
}

/// Sends a broker with keys one request about its members, on the caller's thread.
package enum AccessExchange {
    /// Asks until the broker answers; blocks for at most `seconds`.
    package static func ask(
        _ operation: WireAccessRequest.OneOf_Operation,
        of endpoint: BusEndpoint,
        within seconds: Double
    ) throws(AccessError) -> AccessReply {
        var request = WireAccessRequest()
        request.request = 1
        request.operation = operation
        // There is no session; any 16 bytes will do.
        let credential = SessionCredential.random().bytes
        var question = ControlQuestion(
            WireClientFrame(credential: credential, .access(request)),
            repeatEvery: 1
        )
        let outcome: ControlQuestion.Outcome<Result<AccessReply, AccessError>>
        do {
            outcome = try question.ask(of: endpoint, within: seconds) { frame in
                switch frame.body {
                case .access(let answer) where answer.request != request.request: nil
                case .access(let answer) where answer.code != 0: .failure(.refused(answer.sentence))
                case .access(let answer):
                    .success(AccessReply(answer: answer, nextKey: frame.nextPublicKey))
                case .refusal(let refusal): .failure(.refused(refusal.sentence))
                default: nil
                }
            }
        } catch {
            throw AccessError(reason: .unreachable, sentence: error.description)
        }
        switch outcome {
        case .answered(let result): return try result.get()
        case .refused(let sentence): throw .refused(sentence)
        case .silence:
            let sentence =
                "there was no answer from \(endpoint.controlAddress): is the broker running, and "
                + "reachable from here?"
            throw AccessError(reason: .unreachable, sentence: sentence)
        }
    }
}

extension AccessError {
    fileprivate static func refused(_ sentence: String) -> AccessError {
        AccessError(reason: .refused, sentence: sentence)
    }
}
