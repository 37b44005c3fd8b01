import ProgressBus
import TaskTree

/// Freezing the picture: while it stands still, keys act on the frozen picture, and none sends a
/// request to a task.
extension DashboardModel {
    /// The present state of the bus, whether the picture is frozen or not.
    var present: TaskStore { frozen?.present ?? store }

    mutating func freezeOrGoOn() {
        if let frozen {
            store = frozen.present
            self.frozen = nil
            pictureChanged()
        } else {
            frozen = (store, now)
        }
    }

    /// Carries out an act of the person, unless the frozen picture cannot show the result.
    ///
    /// In that case the act is undone, and a note tells why.
    mutating func actOnPicture(_ act: (inout Self) -> Void) {
        guard frozen != nil else { return act(&self) }
        let before = self
        act(&self)
        guard frozen != nil else { return }
        // Parts that only a larger screen shows are blank in a frozen picture, and stay so.
        let held = followed.union(before.visibleParts)
        guard visibleParts.isSubset(of: held) else {
            self = before
            prompt = nil
            return say("the frozen picture does not show that; f goes on")
        }
    }
}
