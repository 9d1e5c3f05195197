/// A reason why the proxy answers a request itself, complete with what the answer says.
///
/// Sent as a problem document (RFC 9457) with a `Proxy-Status` field (RFC 9209).
package struct Problem: Error, Sendable, Equatable {
    /// The HTTP status code of the answer.
    package var status: Int
    /// The `error` token of RFC 9209, section 2.3.
    package var token: ProxyErrorToken
    /// A sentence or more for the person who reads the answer: what went wrong, where, and what to do next.
    /// Never holds a secret. May have several lines.
    package var detail: String
    /// The text for the `details` parameter of `Proxy-Status`; the first line of ``detail`` where it is nil.
    package var summary: String?
    /// Seconds for the `Retry-After` field, if any.
    package var retryAfter: Int?
    /// The cause for which an account has no token, one of a bounded set, which tells it from the proxy's own policy; nil
    /// otherwise.
    package var cause: String?

    package init(
        status: Int,
        token: ProxyErrorToken,
        detail: String,
        summary: String? = nil,
        retryAfter: Int? = nil,
        cause: String? = nil
    ) {
        self.status = status
        self.token = token
        self.detail = detail
        self.summary = summary
        self.retryAfter = retryAfter
        self.cause = cause
    }
}

extension Problem: CustomStringConvertible {
    package var description: String { "\(status) \(token.rawValue): \(detail)" }
}

/// The proxy error types of RFC 9209, section 2.3, that this proxy uses. A bounded set, fit for a log field.
package enum ProxyErrorToken: String, Sendable, CaseIterable {
    case dnsError = "dns_error"
    case dnsTimeout = "dns_timeout"
    case destinationIPProhibited = "destination_ip_prohibited"
    case connectionRefused = "connection_refused"
    case connectionTerminated = "connection_terminated"
    case connectionTimeout = "connection_timeout"
    case connectionLimitReached = "connection_limit_reached"
    case tlsProtocolError = "tls_protocol_error"
    case tlsCertificateError = "tls_certificate_error"
    case tlsAlertReceived = "tls_alert_received"
    case httpRequestError = "http_request_error"
    case httpRequestDenied = "http_request_denied"
    case httpResponseTimeout = "http_response_timeout"
    case httpProtocolError = "http_protocol_error"
    case proxyInternalError = "proxy_internal_error"
}
