import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOPosix
import NIOSSL
import UpstreamTrust

/// The reason why an upstream connection could not be had, or was lost.
enum UpstreamFailure: Error {
    case nameNotResolved(host: String)
    case nameLookupTimeout(host: String)
    /// The client has as many look-ups waiting already as one may have beside those of others.
    case tooManyNameLookups(host: String)
    case addressDenied(host: String, address: String)
    /// The address is one that hosts of no API are not reached at.
    case addressIsPrivate(host: String, address: String)
    /// The address, with its port, is one that this process listens on.
    case ownListener(host: String, address: String)
    case refused(String)
    case connectTimeout
    /// The other proxy that the connection was to be made through gave no tunnel.
    case upstreamProxy(String, UpstreamProxyFailure)
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
    /// The bytes that came were no HTTP/1.1 response.
    case malformedResponse(MessageError)
    /// The frames that came on the request's stream were no HTTP/2 response.
    case malformedStream(HTTP2StreamError)
    /// The bytes that came were no HTTP/2.
    case malformedConnection(HTTP2ConnectionError)
    /// No head of a response came in the time that this setting gives or lengthens.
    case responseTimeout(setting: String)
    /// The upstream took no more of the request for as long as `timeouts.idle` says.
    case requestNotTaken
    /// The response is larger than is taken where the whole of it is held.
    case responseTooLarge
    /// The head of a request of a token exchange would not be one.
    case requestNotMade
    /// No connection was made, for a reason that lies with this proxy alone.
    case refusedHere(Problem)

    /// Indicates whether a name was not looked up in time, for somebody whose look-ups are many.
    var isOfLookups: Bool {
        switch self {
        case .nameLookupTimeout, .tooManyNameLookups: true
        default: false
        }
    }
}

extension UpstreamFailure {
    /// The failure that a failed connection attempt comes to.
    init(connecting error: any Error, host: String) {
        switch error {
        case let failure as UpstreamFailure: self = failure
        case let error as IOError: self = .refused(SocketErrorText.describe(error))
        case ChannelError.connectTimeout: self = .connectTimeout
        default: self = .refused("\(error)")
        }
    }
}

extension UpstreamFailure {
    /// Returns why TLS with an upstream did not come about.
    ///
    /// - Parameter error: The error of TLS; nil where the connection ended without one.
    static func connecting(_ verdict: CertificateVerdict?, _ error: (any Error)?) -> UpstreamFailure {
        if let failure = verdict?.failure { return .notTrusted(failure) }
        guard let error else { return .handshake("the peer closed the connection during the handshake") }
        if TLSWords.refusesProtocols(error) { return .protocolsRefused }
        return clientCertificate(error) ?? .handshake(TLSWords.describe(error))
    }

    /// Returns why a connection ended that had been established.
    ///
    /// - Parameter error: The first one on it; nil where there was none.
    static func established(_ error: (any Error)?) -> UpstreamFailure {
        guard let error = error as? BoringSSLError else { return .closed }
        return clientCertificate(error) ?? .brokenTLS(TLSWords.describe(error))
    }

    /// Servers of TLS 1.3 refuse a client's certificate, or its absence, when the handshake is over for the client.
    ///
    /// - Returns: Nil for any other error.
    private static func clientCertificate(_ error: any Error) -> UpstreamFailure? {
        TLSWords.asksForCertificate(error) ? .clientCertificateRefused(TLSWords.describe(error)) : nil
    }
}

extension UpstreamFailure {
    /// The meaning of the failure for the request that was under way.
    var end: UpstreamEnd {
        switch self {
        case .streamReset(.refusedStream): .streamRefused
        case .streamReset(.http11Required): .http1Required
        case .streamReset: .stream
        case .goneAway: .goneAway
        default: .connection
        }
    }

    /// The code that a client that speaks HTTP/2 has its own stream reset with; nil where it needs to be told more.
    var resetCode: HTTP2ErrorCode? {
        switch self {
        case .streamReset(let code): code
        case .goneAway: .refusedStream
        default: nil
        }
    }
}

/// The way in which the upstream took itself away from a request before its response was complete.
enum UpstreamEnd: Hashable {
    /// The connection ended: whether the request was processed is not known.
    case connection
    /// The request's stream was reset, and nothing else: its connection was not stale.
    case stream
    /// The request's stream was refused on a connection that lives on: it was not processed (RFC 9113, section 8.7).
    case streamRefused
    /// The request was not processed, and has to come by HTTP/1.1 (RFC 9113, section 7).
    case http1Required
    /// The connection is ending, and the request was not processed (GOAWAY; RFC 9113, section 6.8).
    case goneAway

    /// Indicates whether the upstream says that the request was not processed.
    var isUnprocessed: Bool {
        switch self {
        case .streamRefused, .http1Required, .goneAway: true
        case .connection, .stream: false
        }
    }
}
