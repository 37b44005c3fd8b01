import TaskTree
import Testing

@testable import Dashboard

@Suite("When frames are drawn")
struct PaceTests {
    private let begin = Moment(nanoseconds: 5_000_000_000)

    private func after(_ seconds: Double) -> Moment { begin.advanced(bySeconds: seconds) }

    @Test("at first: at once")
    func first() throws {
        let pace = FramePace()
        #expect(try #require(pace.due) <= begin)
    }

    @Test("nothing happens and nothing moves: never")
    func idle() {
        var pace = FramePace()
        pace.drew(at: begin, next: nil)
        #expect(pace.due == nil)
        #expect(pace.pictureDue == nil)
    }

    @Test("data: not before a tenth of a second after the frame before")
    func data() {
        var pace = FramePace()
        pace.drew(at: begin, next: nil)
        pace.tookPicture()
        #expect(pace.due == after(0.1))
    }

    @Test("something moves by itself: when it does, at most ten times a second")
    func movement() {
        var pace = FramePace()
        pace.drew(at: begin, next: after(0.5))
        #expect(pace.due == after(0.5))
        pace.drew(at: begin, next: after(0.01))
        #expect(pace.due == after(0.1))
    }

    @Test("a key: at once, whatever was drawn just now")
    func key() throws {
        var pace = FramePace()
        pace.drew(at: begin, next: nil)
        pace.hurry()
        #expect(try #require(pace.due) <= begin)
        pace.drew(at: begin, next: nil)
        #expect(pace.due == nil)
    }

    @Test("a picture: the next is asked for after it was drawn, in time for the next frame")
    func nextPicture() throws {
        var pace = FramePace()
        pace.drew(at: begin, next: nil)
        pace.tookPicture()
        #expect(pace.pictureDue == nil, "it has not been drawn")
        pace.drew(at: after(0.1), next: nil)
        let due = try #require(pace.pictureDue)
        #expect(due > after(0.1) && due <= after(0.2))
        pace.askedForPicture()
        #expect(pace.pictureDue == nil)
    }

    @Test("nobody wants it closed: never")
    func notClosing() {
        var closing = ClosingTime()
        closing.personActed(at: begin)
        #expect(closing.due == nil)
    }

    @Test("the work has ended: after a moment, once")
    func closing() {
        var closing = ClosingTime()
        closing.begin(at: begin)
        closing.begin(at: after(1))
        #expect(closing.due == after(1.5))
    }

    @Test("the person is at work: ten seconds after the last key")
    func closingUnderHands() {
        var closing = ClosingTime()
        closing.personActed(at: begin)
        closing.begin(at: after(1))
        #expect(closing.due == after(10))
        closing.personActed(at: after(5))
        #expect(closing.due == after(15))
    }
}
