import TaskTree

/// When the next frame is to be drawn: at once for the person, ten times a second for data.
struct FramePace {
    /// Seconds between two frames that nobody asked for.
    static let interval = 0.1
    /// How long before a frame the next picture is asked for, so that it is there in time.
    private static let lead = 0.015

    /// When something new is there to be drawn, and nobody waits for it.
    private var isStale = false
    /// Whether the person has done something.
    private var isUrgent = true
    private var lastDrawn: Moment?
    /// When the screen changes by itself.
    private var nextStep: Moment?
    /// Whether a picture was drawn that nobody has been told of.
    private var owesPicture = false

    /// A key, another size: to be drawn at once.
    mutating func hurry() { isUrgent = true }

    /// A picture came from the bus, which waits until it is drawn.
    mutating func tookPicture() {
        isStale = true
        owesPicture = true
    }

    /// When to draw; `nil`: not before something happens.
    var due: Moment? {
        guard !isUrgent, let lastDrawn else { return Moment(nanoseconds: .min) }
        let earliest = lastDrawn.advanced(bySeconds: Self.interval)
        if isStale { return earliest }
        return nextStep.map { max($0, earliest) }
    }

    /// When to ask for the next picture; `nil`: none has been drawn.
    var pictureDue: Moment? {
        guard owesPicture, !isStale, let lastDrawn else { return nil }
        return lastDrawn.advanced(bySeconds: Self.interval - Self.lead)
    }

    /// The frame was drawn; `next` is when it changes by itself.
    mutating func drew(at now: Moment, next: Moment?) {
        isUrgent = false
        isStale = false
        lastDrawn = now
        nextStep = next
    }

    /// The next picture was asked for.
    mutating func askedForPicture() { owesPicture = false }
}
