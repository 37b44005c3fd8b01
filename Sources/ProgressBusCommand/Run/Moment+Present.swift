import Dispatch
import TaskTree

extension Moment {
    /// On the clock of this machine.
    static var present: Moment {
        Moment(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }
}
