import HTTP2Codec
import UpstreamTrust

extension UpstreamFailure {
    /// The answer to the client.
    func problem(authority: String) -> Problem {
        if case .refusedHere(let problem) = self { return problem }
        let (status, token) = answer
        return Problem(
            status: status,
            token: token,
            detail: detail(authority),
            summary: summary(authority),
            retryAfter: retryAfter
        )
    }

    /// The status and the token of the answer (RFC 9209, section 2.3).
    var answer: (status: Int, token: ProxyErrorToken) {
        switch self {
        case .nameNotResolved: (502, .dnsError)
        case .nameLookupTimeout: (504, .dnsTimeout)
        case .tooManyNameLookups: (503, .connectionLimitReached)
        case .addressDenied, .addressIsPrivate, .ownListener: (403, .destinationIPProhibited)
        case .refused, .upstreamProxyUnreachable, .upstreamProxyRefused: (502, .connectionRefused)
        case .connectTimeout, .upstreamProxyTimeout: (504, .connectionTimeout)
        case .handshakeTimeout, .upstreamProxyHandshakeTimeout, .settingsTimeout: (504, .connectionTimeout)
        case .handshake, .upstreamProxyHandshake, .brokenTLS: (502, .tlsProtocolError)
        case .protocolsRefused, .clientCertificateRefused: (502, .tlsAlertReceived)
        case .notTrusted, .upstreamProxyNotTrusted: (502, .tlsCertificateError)
        case .closed, .upstreamProxyClosed, .goneAway, .streamReset: (502, .connectionTerminated)
        case .malformedResponse, .upstreamProxyMalformed, .responseTooLarge: (502, .httpProtocolError)
        case .malformedStream, .malformedConnection: (502, .httpProtocolError)
        case .responseTimeout, .requestNotTaken: (504, .httpResponseTimeout)
        case .requestNotMade: (502, .httpRequestError)
        case .refusedHere(let problem): (problem.status, problem.token)
        }
    }

    private var retryAfter: Int? {
        if case .tooManyNameLookups = self { 1 } else { nil }
    }

    private func summary(_ authority: String) -> String? {
        switch self {
        case .notTrusted(let failure): "certificate of \(authority) not accepted: \(failure.label)"
        case .upstreamProxyNotTrusted(let proxy, let failure):
            "certificate of the upstream proxy \(proxy) not accepted: \(failure.label)"
        default: nil
        }
    }

    private func detail(_ authority: String) -> String {
        switch self {
        case .nameNotResolved(let host):
            "The name \(host) does not resolve. Check its spelling and this machine's name servers."
        case .nameLookupTimeout(let host):
            "The name \(host) did not resolve in time (timeouts.connect). Check this machine's name servers."
        case .tooManyNameLookups(let host):
            "The name \(host) was not looked up: as many other names wait to be looked up for the same client as "
                + "its share of all that may wait. Try again in a second. If that goes on, check this machine's name "
                + "servers."
        case .addressDenied(let host, let address):
            "\(host) is at \(address), which is in access.denied_networks. "
                + "Add it to access.allowed_networks if it must be reached."
        case .addressIsPrivate(let host, let address):
            "\(host) is at \(address), an address of this machine or of its own network, and of no API: clients "
                + "that are listed do not reach it. Add it to access.allowed_networks if they may."
        case .ownListener(let host, let address):
            "\(host) is at \(address), where this proxy itself listens: it connects nobody to itself. "
                + "Send what is meant for it there without a proxy (NO_PROXY)."
        case .refused(let words):
            "\(authority) could not be connected to: \(words). Check that the server is up and the port is right."
        case .connectTimeout:
            "\(authority) did not accept a connection in time (timeouts.connect)."
        case .upstreamProxyUnreachable(let proxy, let words):
            "The upstream proxy \(proxy) could not be reached: \(words) "
                + "Nothing was sent to \(authority). Check upstream_proxy."
        case .upstreamProxyRefused(let proxy, let status):
            "The upstream proxy \(proxy) refused a tunnel to \(authority) with status \(status). "
                + Self.advice(proxyStatus: status)
        case .upstreamProxyMalformed(let proxy, let error):
            "The upstream proxy \(proxy), asked for a tunnel to \(authority), answered with something that is "
                + "no HTTP/1.1 response: \(error) Check that upstream_proxy names an HTTP proxy and its port."
        case .upstreamProxyClosed(let proxy):
            "The upstream proxy \(proxy) closed the connection before it opened a tunnel to \(authority)."
        case .upstreamProxyTimeout(let proxy):
            "The upstream proxy \(proxy) did not open a tunnel to \(authority) in time (timeouts.connect)."
        case .upstreamProxyHandshake(let proxy, let words):
            "The TLS handshake with the upstream proxy \(proxy) failed: \(words). Nothing was sent to "
                + "\(authority). Check that this port of the proxy speaks TLS; if it does not, write upstream_proxy "
                + "with http://."
        case .upstreamProxyHandshakeTimeout(let proxy):
            "The upstream proxy \(proxy) did not finish its TLS handshake in time (timeouts.handshake). "
                + "Nothing was sent to \(authority). Check that this port of the proxy speaks TLS."
        case .upstreamProxyNotTrusted(let proxy, let failure):
            "Nothing was asked of the upstream proxy \(proxy), nor sent to \(authority): "
                + "\(failure.sentence(trustSetting: "upstream_proxy.trust")). "
                + Self.advice(proxyCertificate: failure.reason)
        case .handshakeTimeout:
            "\(authority) did not finish its TLS handshake in time (timeouts.handshake)."
        case .settingsTimeout:
            "\(authority) agreed to speak HTTP/2 and then did not begin to in time: its SETTINGS are missing "
                + "(timeouts.handshake). The request may or may not have been carried out: it is not sent again. "
                + "If the server only claims to speak HTTP/2, set http2 of the API to off."
        case .handshake(let words):
            "The TLS handshake with \(authority) failed: \(words). Check that the port speaks TLS, the API's "
                + "tls.minimum_version and, if the server asks for a certificate, tls.client_certificate."
        case .protocolsRefused:
            "\(authority) speaks none of the versions of HTTP that it was offered (ALPN). If it speaks HTTP/2 alone, "
                + "http2.upstreams and http2 of the API must be on; upgrades, such as those to WebSocket, need HTTP/1.1."
        case .clientCertificateRefused(let words):
            "\(authority) ended the connection with a TLS alert: \(words). "
                + "Check the API's tls.client_certificate and tls.client_private_key."
        case .brokenTLS(let words):
            "TLS with \(authority) failed before a response was there: \(words). The request may or may not have "
                + "been carried out: it is not sent again."
        case .notTrusted(let failure):
            "Nothing was sent to \(authority): \(failure.detail)"
        case .closed:
            "\(authority) closed the connection before a response was there. The request may or may not have been "
                + "carried out: it is not sent again."
        case .malformedResponse(let error):
            "\(authority) answered with something that is no HTTP/1.1 response: \(error)"
        case .streamReset(.refusedStream):
            "\(authority) did not process the request: it refused its HTTP/2 stream (REFUSED_STREAM), and may have "
                + "too many under way. The request may be sent again, later."
        case .goneAway:
            "\(authority) did not process the request: it was ending its HTTP/2 connection (GOAWAY). The request "
                + "may be sent again."
        case .streamReset(let code):
            "\(authority) reset the request's HTTP/2 stream with the code \(code.label). The request may or may "
                + "not have been carried out: it is not sent again."
        case .malformedStream(let error):
            "\(authority) answered with something that is no HTTP/2 response: \(error)"
        case .malformedConnection(let error):
            "The HTTP/2 connection to \(authority) was ended, for what came was malformed: \(error)"
        case .responseTimeout(let setting):
            "\(authority) did not answer in time. If its answers may take longer to begin, as those of long "
                + "polls do, set \(setting) to a longer time."
        case .requestNotTaken:
            "\(authority) took no more of the request, and did not answer either (timeouts.idle)."
        case .responseTooLarge:
            "\(authority) answered with more bytes than a token's answer may have."
        case .requestNotMade:
            "The request for a token could not be sent to \(authority): what is to be in its head is too large, or "
                + "has bytes that no field may have."
        case .refusedHere(let problem): problem.detail
        }
    }

    private static func advice(proxyStatus status: Int) -> String {
        switch status {
        case 407: "Check upstream_proxy.username and upstream_proxy.password."
        case 403: "Its rules do not allow this destination."
        default: "Its own log says why."
        }
    }

    private static func advice(proxyCertificate reason: TrustFailureReason) -> String {
        switch reason {
        case .wrongHostname: "Write a name that it is for in upstream_proxy."
        case .selfSigned, .untrustedRoot, .missingIssuer, .wrongSignature, .noTrustedRoots, .leafIsNoRoot:
            "If it is the right one, name the PEM file of its root in upstream_proxy.trust."
        default: "Who keeps that proxy has to see to its certificate."
        }
    }
}
