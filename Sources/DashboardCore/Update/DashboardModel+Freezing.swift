import ProgressBus
import TaskTree

/// Freezing the picture: while it stands still, keys look at what it shows, and none asks anything of
/// a task.
extension DashboardModel {
    /// What the bus says now, frozen or not.
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

    /// Does what the person wants; says why not where a frozen picture has nothing to show for it.
    ///
    /// The act is undone where its result would not be in the picture.
    mutating func actOnPicture(_ act: (inout Self) -> Void) {
        guard frozen != nil else { return act(&self) }
        let before = self
        act(&self)
        guard frozen != nil else { return }
        // What a larger screen shows of a smaller picture is blank, and stays so.
        let held = followed.union(before.visibleParts)
        guard visibleParts.isSubset(of: held) else {
            self = before
            prompt = nil
            return say("the frozen picture does not show that; f goes on")
        }
    }
}
