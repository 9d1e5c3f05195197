import NIOCore

/// Asks each event loop something, and measures how long it takes until the loop comes to it: the delay of all that waits
/// for its turn there. Nothing is measured while nobody asks.
struct LoopSurvey: Sendable {
    struct Answer<Value: Sendable>: Sendable {
        /// The answer; nil when the event loop did not give it in time.
        var value: Value?
        /// The time until the event loop came to the question; where it did not, the time that it was waited for.
        var delay: TimeAmount
    }

    /// The time for an answer: a scrape of Prometheus takes 10 s at most, unless it is told otherwise.
    static let limit = Duration.seconds(2)

    let clock: any ProxyClock
    var limit = LoopSurvey.limit

    /// Asks all of them at once.
    ///
    /// - Parameter question: Called with the index of the event loop, on it.
    /// - Returns: The answers, in the order of the event loops.
    func ask<Value: Sendable>(
        _ loops: [any EventLoop],
        _ question: @escaping @Sendable (Int) -> Value
    ) async -> [Answer<Value>] {
        let begin = clock.now
        let (answers, newAnswers) = AsyncStream<(index: Int, answer: Answer<Value>)>.makeStream()
        for (index, loop) in loops.enumerated() {
            loop.execute { [clock] in
                let delay = clock.now - begin
                newAnswers.yield((index, Answer(value: question(index), delay: delay)))
            }
        }
        let timer = Task { [limit] in
            try await Task.sleep(for: limit)
            newAnswers.finish()
        }
        defer { timer.cancel() }
        var known: [Int: Answer<Value>] = [:]
        if loops.isEmpty { newAnswers.finish() }
        for await (index, answer) in answers {
            known[index] = answer
            if known.count == loops.count { break }
        }
        let waited = clock.now - begin
        return loops.indices.map { known[$0] ?? Answer(value: nil, delay: waited) }
    }
}
