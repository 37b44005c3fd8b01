import ProgressBus
import TaskTree

/// Freezing the picture: while it stands still, keys act on what it shows and on nothing else.
extension DashboardModel {
    /// What the bus says now, frozen or not.
    var present: TaskStore { frozen?.present ?? store }

    mutating func freezeOrGoOn(at now: Moment) {
        if let frozen {
            store = frozen.present
            self.frozen = nil
            pictureChanged(at: now)
        } else {
            frozen = (store, now)
        }
    }

    /// Does what the person wants; says why not where a frozen picture has nothing to show for it.
    ///
    /// The act is undone where its result would not be in the picture, or where the cursor would not
    /// be on the target.
    mutating func actOnPicture(
        at now: Moment,
        target: TaskID? = nil,
        _ actions: inout [DashboardAction],
        _ act: (inout Self, inout [DashboardAction]) -> Void
    ) {
        guard frozen != nil else { return act(&self, &actions) }
        let before = self
        let count = actions.count
        act(&self, &actions)
        // What a larger screen shows of a smaller picture is blank, and stays so.
        let held = followed.union(before.visibleParts)
        guard frozen != nil else { return }
        guard visibleParts.isSubset(of: held), target == nil || selected == target else {
            self = before
            prompt = nil
            actions.removeLast(actions.count - count)
            note = Note("the frozen picture does not show that; f goes on", at: now)
            return
        }
    }

    /// What has become of a task since the picture was frozen, if its keys would mean something else.
    func changeSinceFrozen(_ row: TaskSnapshot) -> String? {
        guard frozen != nil else { return nil }
        guard let now = present.rows[row.id] else { return present.isComplete ? "left" : nil }
        guard now.state.isEnded != row.state.isEnded else { return nil }
        return now.state.isEnded ? "ended" : "begun again"
    }
}
