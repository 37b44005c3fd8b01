import TaskTree

/// When the next frame is to be drawn: at once for the person, ten times a second for data.
struct FramePace {
    /// Seconds between two frames that nobody asked for.
    static let interval = 0.1
    /// How long before a frame the next picture is asked for, so that it is there in time.
    private static let lead = 0.015

    /// Whether there is a new picture to draw that no person waits for.
    private var isStale = false
    /// Whether the person has done something.
    private var isUrgent = true
    private var lastDrawn: Moment?
    /// When the screen next changes by itself.
    private var nextStep: Moment?
    /// Whether a picture has come since the last one was asked for.
    private var owesPicture = false

    /// Asks for a frame at once, after a key or another size.
    mutating func hurry() { isUrgent = true }

    /// Notes a picture from the bus; the next one is asked for only after it was drawn.
    mutating func tookPicture() {
        isStale = true
        owesPicture = true
    }

    /// When to draw; `nil` if something must happen first.
    var due: Moment? {
        guard !isUrgent, let lastDrawn else { return Moment(nanoseconds: .min) }
        let earliest = lastDrawn.advanced(bySeconds: Self.interval)
        if isStale { return earliest }
        return nextStep.map { max($0, earliest) }
    }

    /// When to ask for the next picture; `nil` if none has been drawn since the last request.
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
