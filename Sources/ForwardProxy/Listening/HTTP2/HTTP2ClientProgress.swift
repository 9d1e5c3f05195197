import NIOCore

/// The record of what a client that speaks HTTP/2 sends, and takes of what it is sent, as a plain value.
struct HTTP2ClientProgress {
    /// The progress of the requests in flight.
    private var made: Progress
    /// The answers that the client has not taken.
    private var backlog = Backlog()
    private var sendActivity = SendActivity()

    init(begun now: NIODeadline) {
        made = Progress(begun: now)
    }

    /// The time at which the requests in flight last made any.
    var lastMade: NIODeadline { made.lastMade }

    mutating func received(bytes: Int, at now: NIODeadline) {
        made.moved(bytes, at: now)
    }

    mutating func written(bytes: Int) {
        backlog.note(written: bytes)
    }

    /// A request has begun, and there is no other.
    ///
    /// - Parameter unsent: The number of bytes that the client has not taken of what was to be sent.
    mutating func requestBegan(at now: NIODeadline, unsent: @autoclosure () -> Int) {
        made.requestBegan(at: now, behind: backlog, unsent: unsent())
    }

    /// Returns the time since which the client has taken nothing of what waits to be sent; nil: nothing waits.
    mutating func lastTaken(unsent: Int, acknowledged: UInt64, at now: NIODeadline) -> NIODeadline? {
        backlog.observe(unsent, acknowledged: acknowledged, at: now)
    }

    /// The same for what the system has taken too.
    mutating func lastTaken(of channel: any Channel, at now: NIODeadline) -> NIODeadline? {
        backlog.observe(channel, at: now)
    }

    /// Returns whether the client may have taken some of what was written within this time.
    ///
    /// - Parameter unsent: The number of bytes that are written, and that the system has not sent.
    mutating func isTaking(unsent: Int, at now: NIODeadline, within time: TimeAmount) -> Bool {
        sendActivity.isRecent(unsent: unsent, at: now, within: time)
    }
}
