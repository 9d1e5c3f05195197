import HTTP1Codec
import NIOCore
import NIOPosix
import Testing

@testable import ForwardProxy
@testable import UpstreamTrust

@Suite("What a failed upstream is answered with")
struct UpstreamFailureTests {
    static let table: [(UpstreamFailure, Int, ProxyErrorToken)] = [
        (.nameNotResolved(host: "api.test"), 502, .dnsError),
        (.nameLookupTimeout(host: "api.test"), 504, .dnsTimeout),
        (.tooManyNameLookups(host: "api.test"), 503, .connectionLimitReached),
        (.addressDenied(host: "api.test", address: "169.254.169.254"), 403, .destinationIPProhibited),
        (.refused("connection refused"), 502, .connectionRefused),
        (.connectTimeout, 504, .connectionTimeout),
        (.handshakeTimeout, 504, .connectionTimeout),
        (.handshake("words"), 502, .tlsProtocolError),
        (.clientCertificateRefused("words"), 502, .tlsAlertReceived),
        (.brokenTLS("words"), 502, .tlsProtocolError),
        (
            .notTrusted(
                TrustFailure(
                    reason: .noCertificate,
                    serverName: ServerName(host: "api.test"),
                    presented: [],
                    unseen: 0,
                    pinning: nil
                )
            ), 502, .tlsCertificateError
        ),
        (.closed, 502, .connectionTerminated),
        (.malformedResponse(.statusLineMalformed), 502, .httpProtocolError),
        (.responseTimeout(setting: "timeouts.response_header"), 504, .httpResponseTimeout),
        (.requestNotTaken, 504, .httpResponseTimeout),
        (.responseTooLarge, 502, .httpProtocolError),
    ]

    @Test("Each failure has the status and the error of the contract", arguments: table.indices)
    func maps(index: Int) {
        let (failure, status, token) = Self.table[index]
        let problem = failure.problem(authority: "api.test:443")
        #expect(problem.status == status)
        #expect(problem.token == token)
        #expect(problem.detail.contains("api.test"))
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
