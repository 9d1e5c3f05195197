/// An upstream connection that could not be had.
struct FailedConnection: Error {
    let reason: UpstreamFailure
    /// The time that the attempt took; nil: there was none.
    let times: ConnectTimes?

    init(_ reason: UpstreamFailure, times: ConnectTimes? = nil) {
        self.reason = reason
        self.times = times
    }
}
