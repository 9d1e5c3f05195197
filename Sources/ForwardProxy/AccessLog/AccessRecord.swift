import NIOCore

/// What the access log says of one request.
struct AccessRecord {
    var start: NIODeadline
    /// The status of the answer; nil when there was none.
    var status: Int?
    /// Set when the proxy made the answer.
    var error: ProxyErrorToken?
    var requestOctets = 0
    var responseOctets = 0
}
