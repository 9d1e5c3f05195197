/// The proxy error types of RFC 9209, section 2.3, that this proxy uses. A bounded set, fit for a log field.
package enum ProxyErrorToken: String, Sendable {
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
