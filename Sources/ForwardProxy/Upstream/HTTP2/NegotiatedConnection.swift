/// An upstream connection that is up, by the version of HTTP that was agreed on.
enum NegotiatedConnection {
    case http1(UpstreamConnection)
    case http2(HTTP2UpstreamHandler)

    /// The certificates that the server presented, and how they were judged; nil without TLS.
    var verdict: CertificateVerdict? {
        switch self {
        case .http1(let connection): connection.verdict
        case .http2(let handler): handler.verdict
        }
    }

    /// Ends it as soon as it carries no request.
    func finish() {
        switch self {
        case .http1(let connection): connection.close()
        case .http2(let handler): handler.finish()
        }
    }
}
