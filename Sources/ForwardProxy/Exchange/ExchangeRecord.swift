import HTTP1Codec
import NIOCore

/// The observations of one request while it is served, for the access log, the metrics, and whoever looks on.
struct ExchangeRecord {
    let start: NIODeadline
    /// The status of the answer; nil when there was none.
    var status: Int?
    /// The error that the proxy answered with; nil when it did not make the answer.
    var error: ProxyErrorToken?
    /// The reason, in the words that the client was told; nil when the proxy did not make the answer.
    var details: String?
    /// The cause of the failed token exchange that the proxy made the answer for, one of a bounded set; nil otherwise.
    var cause: String?
    /// The provider's reason to refuse the request, one of a bounded set; nil when it did not.
    var diagnosis: String?
    /// The number that all lines of the log have which tell of this request; nil where there is one alone.
    var number: Int?
    /// The number that it has in the journal while it is in flight; nil when nobody looks on.
    var begun: Int?
    var requestBytes = 0
    var responseBytes = 0
    /// The waits for a token; nil where one was at hand.
    var token: Wait?
    /// The waits for an upstream connection, new or with room; nil where one was there.
    var connection: Wait?
    /// Indicates whether the last of these was in vain.
    var connectionFailed = false
    /// The phases of making the connection that it was sent on last, or that failed; nil where that was there already.
    var connectTimes: ConnectTimes?
    /// Indicates whether the connection that it was sent on last carried others before; nil when it was not sent.
    var isReused: Bool?
    /// The time at which its head was sent last; nil when it was not, or nobody traces.
    var sentAt: NIODeadline?
    /// The protocol of that connection, as ALPN has it; nil when the request was not sent.
    var upstreamProtocol: String?
    /// The time from the start to the head of the final response; nil when none came.
    var firstByte: TimeAmount?
    /// The time from the start until it stood as a tunnel; nil when it became none.
    var established: TimeAmount?
    /// The cause that it is to be sent again for; nil: it is not.
    private var repeatCause: ExchangeStateMachine.RepeatCause?
    /// The causes that it was sent again for, in order.
    var repeats: [ExchangeStateMachine.RepeatCause] = []

    /// The part that the inspector shows of the request as it was last sent; nil while nobody looks on.
    @Rare var sent: SentRequest?

    init(start: NIODeadline) {
        self.start = start
    }

    /// Returns what is counted of the request when it is over, or stands as a tunnel.
    func end(at now: NIODeadline) -> End {
        End(status: status, error: error, time: established ?? now - start, firstByte: firstByte)
    }

    var tokenWait: TimeAmount? { token?.time }
    var connectionWait: TimeAmount? { connection?.time }

    mutating func waitedForToken(_ wait: TimeAmount, since begin: NIODeadline) {
        token = Wait(begin: token?.begin ?? begin, time: wait + (token?.time ?? .zero))
    }

    mutating func waitedForConnection(_ wait: TimeAmount, since begin: NIODeadline) {
        connection = Wait(begin: connection?.begin ?? begin, time: wait + (connection?.time ?? .zero))
    }

    /// Notes the reason why there is no connection.
    mutating func note(_ failure: FailedConnection) {
        connectionFailed = true
        if case .refusedHere = failure.reason { return }
        connectTimes = failure.times
    }

    /// Notes that the request is to be sent again.
    mutating func willRepeat(because cause: ExchangeStateMachine.RepeatCause) {
        repeatCause = cause
    }

    /// Notes the connection that the request is about to be sent on.
    ///
    /// - Parameters:
    ///   - version: The protocol of the connection, as ALPN has it.
    ///   - times: Those of making the connection; nil where it was there already.
    /// - Returns: The cause that the request is sent again for; nil: it is not.
    mutating func willSend(
        isReused: Bool,
        _ version: String,
        _ times: ConnectTimes?
    ) -> ExchangeStateMachine.RepeatCause? {
        self.isReused = isReused
        upstreamProtocol = version
        connectTimes = times
        connectionFailed = false
        guard let cause = repeatCause else { return nil }
        repeatCause = nil
        repeats.append(cause)
        return cause
    }

    /// Notes the answer that the proxy makes itself, and its body.
    ///
    /// - Parameter method: That of the request; nil when none could be read.
    /// - Returns: The bytes of the body.
    mutating func note(answer problem: Problem, to method: RequestMethod?) -> Int {
        note(problem)
        guard method != .head else { return 0 }
        let bytes = ProblemResponse.document(for: problem).readableBytes
        responseBytes += bytes
        return bytes
    }

    /// Notes the reason why the proxy ends a request itself.
    mutating func note(_ problem: Problem) {
        status = problem.status
        error = problem.token
        cause = problem.cause
        details = String((problem.summary ?? problem.detail).prefix { $0 != "\n" }.prefix(400))
    }
}

extension ExchangeRecord {
    /// The part of a record that is counted at the end: small, since a whole record is expensive to copy.
    struct End {
        let status: Int?
        let error: ProxyErrorToken?
        let time: TimeAmount
        let firstByte: TimeAmount?
    }

    /// The waits of a request for one thing, taken together.
    struct Wait: Equatable {
        /// The time at which the first of them began.
        var begin: NIODeadline
        var time: TimeAmount
    }
}
