/// The counts of what a peer does that helps nobody, against the bounds of ``HTTP2Limits``.
struct AbuseBudgets: Sendable {
    private var abandonedStreams: ProgressBudget
    private var idleFrames: ProgressBudget
    private var waitingAnswers = 0
    private let mostWaitingAnswers: Int

    init(_ limits: HTTP2Limits) {
        abandonedStreams = ProgressBudget(limit: limits.abandonedStreams, perSecond: limits.abandonedStreamsPerSecond)
        idleFrames = ProgressBudget(limit: limits.idleFrames, perSecond: limits.idleFramesPerSecond)
        mostWaitingAnswers = limits.waitingAnswers
    }

    /// Counts a frame that moves no stream.
    mutating func spendIdleFrame(_ type: FrameType?) throws(HTTP2ConnectionError) {
        guard idleFrames.spend() else { throw .tooManyIdleFrames(type) }
    }

    mutating func spendAbandonedStream() throws(HTTP2ConnectionError) {
        guard abandonedStreams.spend() else { throw .tooManyAbandonedStreams }
    }

    /// Counts an answer to PING or SETTINGS in the output.
    mutating func addWaitingAnswer() throws(HTTP2ConnectionError) {
        waitingAnswers += 1
        guard waitingAnswers <= mostWaitingAnswers else { throw .tooManyWaitingAnswers }
    }

    /// Reports that the output was taken, with the answers in it.
    mutating func outputTaken() {
        waitingAnswers = 0
    }

    /// Reports that a stream has ended as it should.
    mutating func streamCompleted() {
        abandonedStreams.restore(1)
        idleFrames.restore(8)
    }

    /// Reports bytes of DATA, either way.
    mutating func dataPassed(_ count: Int) {
        idleFrames.restore(count >> 6)
    }

    /// Reports that bytes were sent as they were given, without waiting for a window.
    mutating func dataSentAtOnce() {
        // Whoever takes in what is sent may well answer every frame with an update of both windows.
        idleFrames.restore(2)
    }

    mutating func tick(seconds: Int) {
        abandonedStreams.tick(seconds: seconds)
        idleFrames.tick(seconds: seconds)
    }
}

/// Counts what a peer does that helps nobody, against a bound; progress and time take some of it off again.
struct ProgressBudget: Sendable {
    private let limit: Int
    private let perSecond: Int
    private(set) var used = 0

    init(limit: Int, perSecond: Int) {
        self.limit = limit
        self.perSecond = perSecond
    }

    /// - Returns: Whether the bound still holds.
    mutating func spend() -> Bool {
        used &+= 1
        return used <= limit
    }

    mutating func restore(_ count: Int) {
        used = max(0, used &- count)
    }

    mutating func tick(seconds: Int) {
        restore(seconds * perSecond)
    }
}
