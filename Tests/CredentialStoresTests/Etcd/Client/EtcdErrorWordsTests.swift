import AsyncHTTPClient
import Bytes
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL
import Settings
import Testing
import TestSupport

@testable import CredentialStores

@Suite("The words for what keeps etcd from answering", .generousLimit, .timed)
struct EtcdErrorWordsTests {
    @Test("Errors of the connection have no word of the libraries'")
    func connections() {
        let words: [(any Error, String)] = [
            (IOError(errnoCode: ECONNREFUSED, reason: "connection reset (error set)"), "connection refused"),
            (IOError(errnoCode: ECONNRESET, reason: "read"), "the connection was reset"),
            (HTTPClientError.remoteConnectionClosed, "the connection was closed"),
            (HTTPClientError.deadlineExceeded, "no answer in time"),
            (HTTPParserError.invalidEOFState, "the connection was closed"),
            (NIOSSLError.uncleanShutdown, "the connection was closed"),
            (
                NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])),
                "the connection was closed during the TLS handshake"
            ),
            (NIOSSLExtraError.failedToValidateHostname, "the server's certificate is for another host name"),
        ]
        for (error, expected) in words {
            let said = EtcdErrorWords.describe(error)
            #expect(said == expected)
        }
    }

    @Test(
        "Errors of TLS have the cause alone",
        arguments: [
            ("CERTIFICATE_VERIFY_FAILED", "the TLS handshake failed: certificate verify failed"),
            ("SSLV3_ALERT_BAD_CERTIFICATE", "the server refused the certificate (bad certificate)"),
            ("TLSV1_ALERT_UNKNOWN_CA", "the server refused the certificate (unknown ca)"),
            ("TLSV1_ALERT_CERTIFICATE_REQUIRED", "the server asks for a client certificate"),
            ("SSLV3_ALERT_HANDSHAKE_FAILURE", "the TLS handshake failed: the server says handshake failure"),
            ("WRONG_VERSION_NUMBER", "the server does not speak TLS on this port"),
        ]
    )
    func tls(label: String, expected: String) {
        let text =
            "sslError([Error: 268436498 error:10000412:SSL routines:OPENSSL_internal:\(label) at /src/tls_record.cc:491])"
        #expect(EtcdErrorWords.describeTLS(text, of: "the TLS handshake") == expected)
    }

    @Test("What a server says by itself is told with the status, on one line")
    func texts() {
        let said = EtcdErrorWords.describe(status: 400, text: "CommonName of client\r\nis\u{1B} ignored\n")
        #expect(said == "status 400: CommonName of client is ignored")
        #expect(EtcdErrorWords.describe(status: 502, text: "") == "status 502")
    }

    @Test("What etcd's gateway says that is not etcd's message is told", .enabled(if: EtcdServer.isInstalled))
    func gateway() async throws {
        let server = try await EtcdServer.shared.value
        let failure = await failure(of: server.endpoint, at: "/nothing")
        #expect(failure == "status 404: 404 page not found")
    }

    @Test("A server that does not speak TLS, or is down, is told so", .enabled(if: EtcdServer.isInstalled))
    func servers() async throws {
        let cluster = try await EtcdCluster(count: 1)
        let endpoint = cluster.servers[0].endpoint
        let secure = EtcdEndpoint(scheme: .https, authority: endpoint.authority)
        let withTLS = await failure(of: secure, at: EtcdRange.path)
        // It closes the connection, and resets it where it has not read all of the handshake's first message.
        let words = ["the connection was closed during the TLS handshake", "the connection was reset"]
        #expect(withTLS.map(words.contains) == true)
        try cluster.servers[0].kill()
        let down = await failure(of: endpoint, at: EtcdRange.path)
        #expect(down == "connection refused")
    }

    private func failure(of endpoint: EtcdEndpoint, at path: String) async -> String? {
        let client = EtcdClient(endpoints: [endpoint], timeout: .seconds(60))
        var reason: String?
        do throws(EtcdClient.ServerFailure) {
            let _: EtcdRange.Response = try await client.send(Data("{}".utf8), to: path, at: endpoint)
        } catch {
            if case .unreachable(let words) = error { reason = words }
        }
        await client.close()
        return reason
    }
}
