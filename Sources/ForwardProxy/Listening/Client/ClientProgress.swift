import NIOCore

/// The record of what moves on a client's connection, which tells those that are slow from those that are in use.
struct ClientProgress {
    /// The progress of the request in flight.
    private var request: Progress
    /// The answers that the client has not taken.
    private var backlog = Backlog()
    /// The observation of whether the client takes what is written, by the timer of the present wait.
    private var sending = SendProgress()

    init(begun: NIODeadline) {
        request = Progress(begun: begun)
    }

    // MARK: Request

    /// - Parameter unsent: The number of bytes that the client has not taken of what was written.
    mutating func requestBegan(at now: NIODeadline, unsent: @autoclosure () -> Int) {
        request.requestBegan(at: now, behind: backlog, unsent: unsent())
    }

    mutating func requestMoved(bytes: Int, at now: NIODeadline) {
        request.moved(bytes, at: now)
    }

    /// Returns when something of the request in flight has moved.
    ///
    /// - Parameter unsent: The number of bytes that are written to the server and that the system has not taken.
    mutating func requestMoved(unsentBytes unsent: Int, at now: NIODeadline) -> NIODeadline {
        request.observe(unsent: unsent, at: now)
        return request.lastMade
    }

    // MARK: Answers

    mutating func wrote(bytes: Int) {
        backlog.note(written: bytes)
    }

    /// Returns when the client has taken something, as far as the system tells; nil when it has everything.
    mutating func answersTaken(from channel: (any Channel)?, at now: NIODeadline) -> NIODeadline? {
        backlog.observe(channel?.unsentBytes ?? 0, acknowledged: channel?.acknowledgedBytes ?? 0, at: now)
    }

    /// Returns when a client between requests has read something; nil when it has, or soon has, everything.
    mutating func answersRead(from channel: any Channel, at now: NIODeadline) -> NIODeadline? {
        backlog.observe(channel, at: now)
    }

    // MARK: Waits

    mutating func waitBegan() {
        sending.reset()
    }

    /// Returns whether the client may have taken something since the wait began, or since this was asked last.
    mutating func hasTaken(unsentBytes: Int) -> Bool { sending.hasMoved(unsent: unsentBytes) }
}
