import TaskTree

/// A command from another thread.
enum FollowerCommand: Sendable {
    case follow(UInt64, Interest)
    case unfollow(UInt64)
    /// A consumer of pictures wants other parts, or all of them anew.
    case show(UInt64, Set<ViewportPart>)
    case refresh(UInt64)
    case next(UInt64, CheckedContinuation<Delivery, Never>)
    /// The consumer was cancelled.
    case stopWaiting(UInt64)
    /// The consumer's time is over.
    case giveUp(UInt64)
    case ask(UInt64, Inquiry, seconds: Double?, CheckedContinuation<InquiryResult, Never>)
    case withdraw(UInt64)
    case stop
}
