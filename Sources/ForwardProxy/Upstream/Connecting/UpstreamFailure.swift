import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOPosix
import NIOSSL
import UpstreamTrust

/// Why an upstream connection could not be had, or was lost.
enum UpstreamFailure: Error {
    case nameNotResolved(host: String)
    case nameLookupTimeout(host: String)
    /// As many look-ups as one client may have wait already, beside those of others.
    case tooManyNameLookups(host: String)
    case addressDenied(host: String, address: String)
    /// It is one that hosts of no API are not reached at.
    case addressIsPrivate(host: String, address: String)
    /// The address, with its port, is one that this process listens on.
    case ownListener(host: String, address: String)
    case refused(String)
    case connectTimeout
    /// The proxy that the connection was to be made through could not be connected to.
    case upstreamProxyUnreachable(proxy: String, String)
    /// It answered CONNECT with another status than 2xx.
    case upstreamProxyRefused(proxy: String, status: Int)
    case upstreamProxyMalformed(proxy: String, MessageError)
    case upstreamProxyClosed(proxy: String)
    case upstreamProxyTimeout(proxy: String)
    /// The TLS handshake with a proxy that is spoken to by TLS.
    case upstreamProxyHandshake(proxy: String, String)
    case upstreamProxyHandshakeTimeout(proxy: String)
    case upstreamProxyNotTrusted(proxy: String, TrustFailure)
    case handshakeTimeout
    /// HTTP/2 was agreed on, and then the server said nothing.
    case settingsTimeout
    case handshake(String)
    /// The upstream speaks none of the versions of HTTP that were offered to it by ALPN (RFC 7301, section 3.2).
    case protocolsRefused
    /// The upstream wants a client certificate, or another one. In TLS 1.3 it says so when the handshake is over on
    /// this side (RFC 8446, section 4.4.2.4).
    case clientCertificateRefused(String)
    /// TLS failed on an established connection before a whole response was there.
    case brokenTLS(String)
    case notTrusted(TrustFailure)
    /// The upstream closed or reset the connection before a whole response was there.
    case closed
    /// The upstream reset the request's stream with this code (RFC 9113, section 7).
    case streamReset(HTTP2ErrorCode)
    /// The upstream ended the connection, and said that it had not processed the request (RFC 9113, section 6.8).
    case goneAway
    /// What came was no HTTP/1.1 response.
    case malformedResponse(MessageError)
    /// What came on the request's stream was no HTTP/2 response.
    case malformedStream(HTTP2StreamError)
    /// What came was no HTTP/2.
    case malformedConnection(HTTP2ConnectionError)
    /// No head of a response came in the time that this setting gives or lengthens.
    case responseTimeout(setting: String)
    /// The upstream took no more of the request for as long as `timeouts.idle` says.
    case requestNotTaken
    /// More than is taken where the whole response is held.
    case responseTooLarge
    /// The head of a request of a token exchange would not be one.
    case requestNotMade
    /// No connection was made, for a reason that lies with this proxy alone.
    case refusedHere(Problem)

    /// Whether a name was not looked up in time, for somebody whose look-ups are many.
    var isOfLookups: Bool {
        switch self {
        case .nameLookupTimeout, .tooManyNameLookups: true
        default: false
        }
    }
}

extension UpstreamFailure {
    /// The answer to the client.
    func problem(authority: String) -> Problem {
        switch self {
        case .refusedHere(let problem): problem
        case .nameNotResolved(let host):
            Problem(
                status: 502,
                token: .dnsError,
                detail: "The name \(host) does not resolve. Check its spelling and this machine's name servers."
            )
        case .nameLookupTimeout(let host):
            Problem(
                status: 504,
                token: .dnsTimeout,
                detail:
                    "The name \(host) did not resolve in time (timeouts.connect). Check this machine's name servers."
            )
        case .tooManyNameLookups(let host):
            Problem(
                status: 503,
                token: .connectionLimitReached,
                detail:
                    "The name \(host) was not looked up: as many other names wait to be looked up for the same client as "
                    + "its share of all that may wait. Try again in a second. If that goes on, check this machine's name "
                    + "servers.",
                retryAfter: 1
            )
        case .addressDenied(let host, let address):
            Problem(
                status: 403,
                token: .destinationIPProhibited,
                detail:
                    "\(host) is at \(address), which is in access.denied_networks. "
                    + "Add it to access.allowed_networks if it must be reached."
            )
        case .addressIsPrivate(let host, let address):
            Problem(
                status: 403,
                token: .destinationIPProhibited,
                detail:
                    "\(host) is at \(address), an address of this machine or of its own network, and of no API: clients "
                    + "that are listed do not reach it. Add it to access.allowed_networks if they may."
            )
        case .ownListener(let host, let address):
            Problem(
                status: 403,
                token: .destinationIPProhibited,
                detail:
                    "\(host) is at \(address), where this proxy itself listens: it connects nobody to itself. "
                    + "Send what is meant for it there without a proxy (NO_PROXY)."
            )
        case .refused(let words):
            Problem(
                status: 502,
                token: .connectionRefused,
                detail:
                    "\(authority) could not be connected to: \(words). Check that the server is up and the port is right."
            )
        case .connectTimeout:
            Problem(
                status: 504,
                token: .connectionTimeout,
                detail: "\(authority) did not accept a connection in time (timeouts.connect)."
            )
        case .upstreamProxyUnreachable(let proxy, let words):
            Problem(
                status: 502,
                token: .connectionRefused,
                detail:
                    "The upstream proxy \(proxy) could not be reached: \(words) "
                    + "Nothing was sent to \(authority). Check upstream_proxy."
            )
        case .upstreamProxyRefused(let proxy, let status):
            Problem(
                status: 502,
                token: .connectionRefused,
                detail:
                    "The upstream proxy \(proxy) refused a tunnel to \(authority) with status \(status). "
                    + Self.advice(proxyStatus: status)
            )
        case .upstreamProxyMalformed(let proxy, let error):
            Problem(
                status: 502,
                token: .httpProtocolError,
                detail:
                    "The upstream proxy \(proxy), asked for a tunnel to \(authority), answered with something that is "
                    + "no HTTP/1.1 response: \(error) Check that upstream_proxy names an HTTP proxy and its port."
            )
        case .upstreamProxyClosed(let proxy):
            Problem(
                status: 502,
                token: .connectionTerminated,
                detail: "The upstream proxy \(proxy) closed the connection before it opened a tunnel to \(authority)."
            )
        case .upstreamProxyTimeout(let proxy):
            Problem(
                status: 504,
                token: .connectionTimeout,
                detail:
                    "The upstream proxy \(proxy) did not open a tunnel to \(authority) in time (timeouts.connect)."
            )
        case .upstreamProxyHandshake(let proxy, let words):
            Problem(
                status: 502,
                token: .tlsProtocolError,
                detail:
                    "The TLS handshake with the upstream proxy \(proxy) failed: \(words). Nothing was sent to "
                    + "\(authority). Check that this port of the proxy speaks TLS; if it does not, write upstream_proxy "
                    + "with http://."
            )
        case .upstreamProxyHandshakeTimeout(let proxy):
            Problem(
                status: 504,
                token: .connectionTimeout,
                detail:
                    "The upstream proxy \(proxy) did not finish its TLS handshake in time (timeouts.handshake). "
                    + "Nothing was sent to \(authority). Check that this port of the proxy speaks TLS."
            )
        case .upstreamProxyNotTrusted(let proxy, let failure):
            Problem(
                status: 502,
                token: .tlsCertificateError,
                detail:
                    "Nothing was asked of the upstream proxy \(proxy), nor sent to \(authority): "
                    + "\(failure.sentence(trustSetting: "upstream_proxy.trust")). "
                    + Self.advice(proxyCertificate: failure.reason),
                summary: "certificate of the upstream proxy \(proxy) not accepted: \(failure.label)"
            )
        case .handshakeTimeout:
            Problem(
                status: 504,
                token: .connectionTimeout,
                detail: "\(authority) did not finish its TLS handshake in time (timeouts.handshake)."
            )
        case .settingsTimeout:
            Problem(
                status: 504,
                token: .connectionTimeout,
                detail:
                    "\(authority) agreed to speak HTTP/2 and then did not begin to in time: its SETTINGS are missing "
                    + "(timeouts.handshake). The request may or may not have been carried out: it is not sent again. "
                    + "If the server only claims to speak HTTP/2, set http2 of the API to off."
            )
        case .handshake(let words):
            Problem(
                status: 502,
                token: .tlsProtocolError,
                detail:
                    "The TLS handshake with \(authority) failed: \(words). Check that the port speaks TLS, the API's "
                    + "tls.minimum_version and, if the server asks for a certificate, tls.client_certificate."
            )
        case .protocolsRefused:
            Problem(
                status: 502,
                token: .tlsAlertReceived,
                detail:
                    "\(authority) speaks none of the versions of HTTP that it was offered (ALPN). If it speaks HTTP/2 alone, "
                    + "http2.upstreams and http2 of the API must be on; upgrades, such as those to WebSocket, need HTTP/1.1."
            )
        case .clientCertificateRefused(let words):
            Problem(
                status: 502,
                token: .tlsAlertReceived,
                detail:
                    "\(authority) ended the connection with a TLS alert: \(words). "
                    + "Check the API's tls.client_certificate and tls.client_private_key."
            )
        case .brokenTLS(let words):
            Problem(
                status: 502,
                token: .tlsProtocolError,
                detail:
                    "TLS with \(authority) failed before a response was there: \(words). The request may or may not have "
                    + "been carried out: it is not sent again."
            )
        case .notTrusted(let failure):
            Problem(
                status: 502,
                token: .tlsCertificateError,
                detail: "Nothing was sent to \(authority): \(failure.detail)",
                summary: "certificate of \(authority) not accepted: \(failure.label)"
            )
        case .closed:
            Problem(
                status: 502,
                token: .connectionTerminated,
                detail:
                    "\(authority) closed the connection before a response was there. The request may or may not have been "
                    + "carried out: it is not sent again."
            )
        case .malformedResponse(let error):
            Problem(
                status: 502,
                token: .httpProtocolError,
                detail: "\(authority) answered with something that is no HTTP/1.1 response: \(error)"
            )
        case .streamReset(.refusedStream):
            Problem(
                status: 502,
                token: .connectionTerminated,
                detail:
                    "\(authority) did not process the request: it refused its HTTP/2 stream (REFUSED_STREAM), and may have "
                    + "too many under way. The request may be sent again, later."
            )
        case .goneAway:
            Problem(
                status: 502,
                token: .connectionTerminated,
                detail:
                    "\(authority) did not process the request: it was ending its HTTP/2 connection (GOAWAY). The request "
                    + "may be sent again."
            )
        case .streamReset(let code):
            Problem(
                status: 502,
                token: .connectionTerminated,
                detail:
                    "\(authority) reset the request's HTTP/2 stream with the code \(code.label). The request may or may "
                    + "not have been carried out: it is not sent again."
            )
        case .malformedStream(let error):
            Problem(
                status: 502,
                token: .httpProtocolError,
                detail: "\(authority) answered with something that is no HTTP/2 response: \(error)"
            )
        case .malformedConnection(let error):
            Problem(
                status: 502,
                token: .httpProtocolError,
                detail: "The HTTP/2 connection to \(authority) was ended, for what came was malformed: \(error)"
            )
        case .responseTimeout(let setting):
            Problem(
                status: 504,
                token: .httpResponseTimeout,
                detail:
                    "\(authority) did not answer in time. If its answers may take longer to begin, as those of long "
                    + "polls do, set \(setting) to a longer time."
            )
        case .requestNotTaken:
            Problem(
                status: 504,
                token: .httpResponseTimeout,
                detail: "\(authority) took no more of the request, and did not answer either (timeouts.idle)."
            )
        case .responseTooLarge:
            Problem(
                status: 502,
                token: .httpProtocolError,
                detail: "\(authority) answered with more bytes than a token's answer may have."
            )
        case .requestNotMade:
            Problem(
                status: 502,
                token: .httpRequestError,
                detail:
                    "The request for a token could not be sent to \(authority): what is to be in its head is too large, or "
                    + "has bytes that no field may have."
            )
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

    /// Why another proxy could not be connected to: a sentence.
    var words: String {
        switch self {
        case .nameNotResolved(let host): "the name \(host) does not resolve."
        case .nameLookupTimeout(let host): "the name \(host) did not resolve in time (timeouts.connect)."
        case .tooManyNameLookups(let host): "the name \(host) was not looked up: too many others wait."
        case .addressDenied(_, let address):
            "\(address) is in access.denied_networks; add it to access.allowed_networks if it is meant."
        case .addressIsPrivate(_, let address):
            "\(address) is of this machine or its own network; add it to access.allowed_networks if it is meant."
        case .ownListener(_, let address): "this proxy itself listens on \(address)."
        case .refused(let words): "\(words)."
        default: "the connection failed."
        }
    }

    /// What a failed connection attempt came to.
    init(connecting error: any Error, host: String) {
        switch error {
        case let failure as UpstreamFailure: self = failure
        case let error as IOError: self = .refused(SocketErrorText.describe(error))
        case ChannelError.connectTimeout: self = .connectTimeout
        default: self = .refused("\(error)")
        }
    }
}
