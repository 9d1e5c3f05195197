import NIOCore

/// The access log's record of one request.
struct AccessRecord {
    var start: NIODeadline
    /// The status of the answer; nil when there was none.
    var status: Int?
    /// Set when the proxy made the answer.
    var error: ProxyErrorToken?
    /// The reason, in the words that the client was told; nil when the proxy did not make the answer.
    var details: String?
    var requestBytes = 0
    var responseBytes = 0

    /// Notes the answer that the proxy makes itself.
    mutating func note(_ problem: Problem) {
        status = problem.status
        error = problem.token
        details = String((problem.summary ?? problem.detail).prefix { $0 != "\n" }.prefix(400))
    }
}
