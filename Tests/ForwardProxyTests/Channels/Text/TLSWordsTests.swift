import Glibc
import NIOCore
import NIOSSL
import Testing

@testable import ForwardProxy

@Suite("Errors of TLS in a person's words")
struct TLSWordsTests {
    /// An error with a description such as the library's own have.
    private struct LibraryError: Error, CustomStringConvertible {
        let label: String
        var description: String {
            "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 503316581 error:1e000065:Cipher functions:"
                + "OPENSSL_internal:\(label) at /src/tls_record.cc:324]))"
        }
    }

    @Test("An end during the handshake is told as that")
    func readsEnd() {
        let error = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))
        #expect(TLSWords.describe(error) == "the peer closed the connection during the handshake")
    }

    @Test("A server that speaks none of the protocols is told by what can be done about it")
    func readsRefusedProtocols() {
        let failure = UpstreamFailure.connecting(nil, LibraryError(label: "TLSV1_ALERT_NO_APPLICATION_PROTOCOL"))
        #expect(failure.problem(authority: "a.test:443").detail.contains("http2.upstreams"))
    }

    @Test("A reset of the connection is told as that")
    func readsReset() {
        #expect(TLSWords.describe(IOError(errnoCode: ECONNRESET, reason: "read")) == "the connection was reset")
    }

    @Test(
        "An error that is not known here is told by its label alone",
        arguments: ["UNEXPECTED_RECORD", "TLSV1_ALERT_INTERNAL_ERROR"]
    )
    func readsLabel(label: String) {
        #expect(TLSWords.describe(LibraryError(label: label)) == "TLS error \(label)")
    }

    @Test("A record that was changed on its way is told from an end of the connection")
    func readsBrokenRecord() {
        let error = BoringSSLError.sslError([])
        guard case .brokenTLS = UpstreamFailure.established(error) else {
            Issue.record("not a failure of TLS")
            return
        }
        guard case .closed = UpstreamFailure.established(NIOSSLError.uncleanShutdown) else {
            Issue.record("not an end")
            return
        }
        #expect(TLSWords.describe(LibraryError(label: "BAD_DECRYPT")).contains("changed on its way"))
    }

    @Test("A certificate chain that is too long is told as that")
    func readsLongChain() {
        #expect(TLSWords.describe(LibraryError(label: "EXCESSIVE_MESSAGE_SIZE")).contains("chain of more than"))
    }
}
