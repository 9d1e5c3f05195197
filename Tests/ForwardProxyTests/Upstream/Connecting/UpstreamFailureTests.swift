import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOPosix
import Testing

@testable import ForwardProxy
@testable import UpstreamTrust

@Suite("The answer to a request whose upstream failed")
struct UpstreamFailureTests {
    private static let untrusted = TrustFailure(
        reason: .noCertificate,
        serverName: ServerName(host: "api.test"),
        presented: [],
        unseen: 0,
        pinning: nil
    )

    static let table: [(UpstreamFailure, Int, ProxyErrorToken, UpstreamTrouble.Kind?)] = [
        (.nameNotResolved(host: "api.test"), 502, .dnsError, .nameNotFound),
        (.nameLookupTimeout(host: "api.test"), 504, .dnsTimeout, .nameNotFound),
        (.tooManyNameLookups(host: "api.test"), 503, .connectionLimitReached, nil),
        (.addressDenied(host: "api.test", address: "169.254.169.254"), 403, .destinationIPProhibited, .unreachable),
        (.addressIsPrivate(host: "api.test", address: "10.0.0.1"), 403, .destinationIPProhibited, .unreachable),
        (.ownListener(host: "api.test", address: "127.0.0.1:8080"), 403, .destinationIPProhibited, .unreachable),
        (.refused("connection refused"), 502, .connectionRefused, .unreachable),
        (.connectTimeout, 504, .connectionTimeout, .unreachable),
        (.upstreamProxy("other.test", .unreachable("it is down.")), 502, .connectionRefused, .unreachable),
        (.upstreamProxy("other.test", .refused(status: 407)), 502, .connectionRefused, .unreachable),
        (.upstreamProxy("other.test", .malformed(.statusLineMalformed)), 502, .httpProtocolError, .unreachable),
        (.upstreamProxy("other.test", .closed), 502, .connectionTerminated, .unreachable),
        (.upstreamProxy("other.test", .timeout), 504, .connectionTimeout, .unreachable),
        (.upstreamProxy("other.test", .handshake("words")), 502, .tlsProtocolError, .tlsFailed),
        (.upstreamProxy("other.test", .handshakeTimeout), 504, .connectionTimeout, .tlsFailed),
        (.upstreamProxy("other.test", .notTrusted(untrusted)), 502, .tlsCertificateError, .certificateRefused),
        (.handshakeTimeout, 504, .connectionTimeout, .tlsFailed),
        (.settingsTimeout, 504, .connectionTimeout, .tlsFailed),
        (.handshake("words"), 502, .tlsProtocolError, .tlsFailed),
        (.protocolsRefused, 502, .tlsAlertReceived, .tlsFailed),
        (.clientCertificateRefused("words"), 502, .tlsAlertReceived, .tlsFailed),
        (.brokenTLS("words"), 502, .tlsProtocolError, .tlsFailed),
        (.notTrusted(untrusted), 502, .tlsCertificateError, .certificateRefused),
        (.closed, 502, .connectionTerminated, .noResponse),
        (.streamReset(.refusedStream), 502, .connectionTerminated, .noResponse),
        (.streamReset(.internalError), 502, .connectionTerminated, .noResponse),
        (.goneAway, 502, .connectionTerminated, .noResponse),
        (.malformedResponse(.statusLineMalformed), 502, .httpProtocolError, .noResponse),
        (.responseTimeout(setting: "timeouts.response_header"), 504, .httpResponseTimeout, .noResponse),
        (.requestNotTaken, 504, .httpResponseTimeout, .noResponse),
        (.responseTooLarge, 502, .httpProtocolError, .noResponse),
        (.requestNotMade, 502, .httpRequestError, nil),
    ]

    @Test("Each failure has the status and the error of the contract", arguments: table.indices)
    func maps(index: Int) {
        let (failure, status, token, trouble) = Self.table[index]
        let problem = failure.problem(authority: "api.test:443")
        #expect(problem.status == status)
        #expect(problem.token == token)
        #expect(problem.detail.contains("api.test"))
        #expect(failure.answer.trouble == trouble)
        #expect(failure.label(nil) == token.rawValue)
    }

    @Test("What this proxy refuses by itself is answered as it is, and no trouble of the host's")
    func refusedHere() {
        let failure = UpstreamFailure.refusedHere(.tooManyConnections)
        #expect(failure.problem(authority: "api.test:443") == .tooManyConnections)
        #expect(failure.answer.trouble == nil)
        #expect(failure.label(nil) == "connection_limit_reached")
    }

    @Test("Names and pauses stand where clients look for them")
    func summaries() {
        let authority = "api.test:443"
        let certificate = UpstreamFailure.notTrusted(Self.untrusted).problem(authority: authority)
        #expect(certificate.summary == "certificate of api.test:443 not accepted: \(Self.untrusted.label)")
        let other = UpstreamFailure.upstreamProxy("other.test", .notTrusted(Self.untrusted))
        let summary = other.problem(authority: authority).summary
        #expect(summary == "certificate of the upstream proxy other.test not accepted: \(Self.untrusted.label)")
        let lookup = UpstreamFailure.tooManyNameLookups(host: "api.test").problem(authority: authority)
        #expect(lookup.retryAfter == 1 && lookup.summary == nil)
    }

    @Test("Another proxy that cannot be connected to is told with the reason")
    func reasons() {
        let refused = UpstreamFailure.refused("connection refused")
        #expect(refused.answer.reasonAtProxy == "connection refused.")
        let denied = UpstreamFailure.addressDenied(host: "other.test", address: "10.0.0.1")
        #expect(denied.answer.reasonAtProxy.hasPrefix("10.0.0.1 is in access.denied_networks; "))
        #expect(UpstreamFailure.closed.answer.reasonAtProxy == "the connection failed.")
    }

    @Test("A refused connection is told in a few words, without the system call")
    func readsRefusal() {
        let error = IOError(errnoCode: 111, reason: "connect(descriptor:addr:size:)")
        guard case .refused(let words) = UpstreamFailure(connecting: error, host: "a") else {
            Issue.record("not a refusal")
            return
        }
        #expect(words.contains("connection refused"))
        #expect(!words.contains("descriptor"))
    }

    @Test("A connection attempt that takes too long is told from one that is refused")
    func readsTimeout() {
        let error = ChannelError.connectTimeout(.seconds(1))
        guard case .connectTimeout = UpstreamFailure(connecting: error, host: "a") else {
            Issue.record("not a timeout")
            return
        }
    }

    @Test("A failure that is one already stays itself")
    func keepsFailure() {
        let error = UpstreamFailure.addressDenied(host: "a", address: "b")
        guard case .addressDenied(host: "a", address: "b") = UpstreamFailure(connecting: error, host: "c") else {
            Issue.record("not the same")
            return
        }
    }
}
