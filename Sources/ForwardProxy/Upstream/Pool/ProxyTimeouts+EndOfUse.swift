import NIOCore
import Settings

extension ProxyTimeouts {
    /// Returns when an upstream connection that is made now has reached its greatest age.
    func endOfUse(madeAt now: NIODeadline) -> NIODeadline {
        let age = connectionAge.nanoseconds
        return now + .nanoseconds(age - Int64.random(in: 0...age / 10))
    }
}
