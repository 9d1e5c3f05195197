/// The reason why a call of etcd has brought no answer.
package enum EtcdFailure: Error, Sendable, Equatable {
    /// No server could be reached, or none answered in time. The call may have had its effect.
    case unavailable(reason: String)
    /// etcd has refused it: what is asked for is not permitted, or makes no sense.
    case refused(reason: String)
    /// The lease that it names has ended.
    case leaseOver

    static var cancelled: EtcdFailure { .unavailable(reason: "the task was cancelled") }
}
