import Bytes
import Foundation
import NIOCore
import NIOSSL
import OAuthSigning
@testable import ProviderSimulator
import SwiftASN1
import TestSupport
import Testing
import UpstreamTrust
import X509

@testable import ForwardProxy

@Suite("Upstreams that are not who they should be", .generousLimit, .timed)
struct UpstreamTrustTests {
    /// Asks once, and expects a refusal before anything of the request is out.
    private func expectRefusal(
        _ identity: ServerIdentity,
        configure: (inout ProxySetup) throws -> Void = { _ in },
        request: String = plainGet,
        says words: [String] = []
    ) async throws {
        try await RunningProxy.withSecureUpstream(identity: identity, configure) { proxy, upstream in
            let answer = try await proxy.answer(to: request)
            #expect(answer.status == 502)
            #expect(answer.proxyError == "tls_certificate_error")
            for word in words { #expect(answer.body.contains(word)) }
            let server = try await upstream.accept()
            _ = try await server.end()
            #expect(server.inbox.total == 0)
        }
    }

    private func pinned(_ pins: [Pin], mode: PinningMode = .publicKey) throws -> TLSPolicy {
        TLSPolicy(
            trust: .certificates([try ServerIdentity.shared.get().root]),
            pinning: [HostPinning(policy: PinningPolicy(mode: mode, pins: pins))]
        )
    }

    @Test("A certificate of a CA that is not trusted is refused")
    func refusesForeignCA() async throws {
        try await expectRefusal(ServerIdentity(ServerIdentity.foreign.get()))
    }

    @Test("A certificate for another host is refused")
    func refusesOtherHost() async throws {
        let identity = try ServerIdentity(ProviderCertificates(dnsNames: ["wrong.test"], now: Date()))
        try await expectRefusal(identity)
        try await expectRefusal(
            ServerIdentity(ServerIdentity.shared.get()),
            configure: { $0.apis[0].hosts = ["api.test", "third.test"] },
            request: "GET http://third.test/ HTTP/1.1\nHost: third.test\n\n"
        )
    }

    @Test("A certificate that has expired is refused")
    func refusesExpired() async throws {
        let now = Date()
        let old = try ProviderCertificates(
            dnsNames: ["api.test"],
            now: now,
            leafValidity: now.addingTimeInterval(-1000)..<now.addingTimeInterval(-10)
        )
        try await expectRefusal(
            ServerIdentity(old),
            configure: { $0.apis[0].tls = TLSPolicy(trust: .certificates([old.root])) }
        )
    }

    @Test(
        "A chain with none of the pins is refused, and its pins are told",
        arguments: [PinningMode.publicKey, .certificate]
    )
    func refusesWrongPin(mode: PinningMode) async throws {
        let certificates = try ServerIdentity.shared.get()
        let foreign = try ServerIdentity.foreign.get().leaf
        let pin = mode == .publicKey ? try Pin.publicKey(of: foreign) : try Pin.certificate(foreign)
        let presented =
            mode == .publicKey ? try Pin.publicKey(of: certificates.leaf) : try Pin.certificate(certificates.leaf)
        try await expectRefusal(
            ServerIdentity(certificates),
            configure: { $0.apis[0].tls = try pinned([pin], mode: mode) },
            says: [pin.text, presented.text]
        )
    }

    @Test("A pinned certificate that is shown without belonging to the chain is refused")
    func refusesUnrelatedPinnedCertificate() async throws {
        let foreign = try ServerIdentity.foreign.get()
        try await expectRefusal(
            ServerIdentity(ServerIdentity.shared.get(), extra: [foreign.leaf, foreign.root]),
            configure: { setup in
                setup.apis[0].tls = try pinned([Pin.publicKey(of: foreign.leaf), Pin.publicKey(of: foreign.root)])
            }
        )
    }

    @Test("A chain that has a pin is accepted, wherever in the validated path it is")
    func acceptsPins() async throws {
        let certificates = try ServerIdentity.shared.get()
        for pin in [certificates.leaf, certificates.intermediate, certificates.root].map({ try? Pin.publicKey(of: $0) })
        {
            let pin = try #require(pin)
            try await RunningProxy.withSecureUpstream {
                $0.apis[0].tls = try pinned([pin])
            } _: { proxy, upstream in
                let client = try await proxy.connect()
                try await client.send(plainGet)
                _ = try verify(try await upstream.accept().head(), scheme: .https)
            }
        }
    }

    @Test("A refusal is logged once with the reason, however often it is met")
    func logsRefusal() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity(ServerIdentity.foreign.get())) { proxy, _ in
            for _ in 0..<3 { _ = try await proxy.answer(to: plainGet) }
            let count = proxy.log.text.components(separatedBy: "an upstream certificate was not accepted").count - 1
            #expect(count == 1)
        }
    }

    @Test("Every refused connection is counted, by API and reason")
    func countsRefusals() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity(ServerIdentity.foreign.get())) { proxy, _ in
            for _ in 0..<3 { _ = try await proxy.answer(to: plainGet) }
            let counts = proxy.server.trustFailures
            #expect(counts.map(\.count) == [3])
            #expect(counts.map(\.api) == ["api"])
            #expect(counts.map(\.reason) == ["wrong_signature"])
            #expect(counts.map(\.isReported) == [false])
        }
    }

    @Test("A policy that reports lets the request through, and logs and counts the mismatch")
    func reportsMismatch() async throws {
        let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
        let policy = PinningPolicy(mode: .publicKey, pins: [pin], onFailure: .report)
        try await RunningProxy.withSecureUpstream {
            $0.apis[0].tls.pinning = [HostPinning(policy: policy)]
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            _ = try verify(try await upstream.accept().head(), scheme: .https)
            #expect(proxy.server.trustFailures.map(\.isReported) == [true])
            #expect(proxy.log.text.contains("is used all the same"))
            #expect(proxy.log.text.contains(pin.text))
        }
    }

    @Test("Pins that are all of the chain that the server shows now are warned of, once")
    func warnsOfMissingBackup() async throws {
        let certificates = try ServerIdentity.shared.get()
        let pins = try [Pin.publicKey(of: certificates.leaf), Pin.publicKey(of: certificates.root)]
        try await RunningProxy.withSecureUpstream {
            $0.apis[0].tls = try pinned(pins)
        } _: { proxy, upstream in
            for _ in 0..<2 {
                let client = try await proxy.connect()
                try await client.send(plainGet)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 0\n\n")
                _ = try await client.message()
            }
            let count = proxy.log.text.components(separatedBy: "every pin is of the chain").count - 1
            #expect(count == 1)
            #expect(proxy.server.hostsWithoutBackupPin.mapValues(\.count) == ["api": 1])
        }
    }

    @Test("An upstream that asks for a client certificate gets the configured one")
    func showsClientCertificate() async throws {
        let clients = try ProviderCertificates(dnsNames: ["client.test"], now: Date())
        var identity = try ServerIdentity(ServerIdentity.shared.get())
        identity.clientDER = try clients.leaf.serializeAsPEM().derBytes
        try await RunningProxy.withSecureUpstream(identity: identity) { setup in
            setup.apis[0].tls.clientIdentity = TLSIdentity(
                chain: [clients.leaf, clients.intermediate],
                key: try Certificate.PrivateKey(derBytes: clients.leafKeyDER)
            )
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            _ = try verify(try await upstream.accept().head(), scheme: .https)
        }
        try await RunningProxy.withSecureUpstream(identity: identity) { proxy, _ in
            let answer = try await proxy.answer(to: plainGet)
            #expect(answer.status == 502)
        }
    }

    @Test("An upstream that does not speak TLS is a bad gateway, with a word on why")
    func tellsPlainUpstream() async throws {
        let answer = try await answer(toHandshake: "HTTP/1.1 400 Bad Request\n\n")
        #expect(answer.status == 502)
        #expect(answer.proxyError == "tls_protocol_error")
    }

    @Test("An upstream that ends the connection during the handshake is a bad gateway, with a word on why")
    func tellsEndDuringHandshake() async throws {
        let answer = try await answer(toHandshake: nil)
        #expect(answer.status == 502)
        #expect(answer.proxyError == "tls_protocol_error")
        #expect(answer.body.contains("the peer closed the connection during the handshake"))
    }

    /// Returns the client's answer when the upstream sends this to the first bytes of TLS; nil: closes the connection.
    private func answer(toHandshake bytes: String?) async throws -> Message {
        let upstream = try await ScriptedUpstream.start()
        var answer: Message?
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            try await server.received(atLeast: 1)
            if let bytes { try await server.send(bytes) } else { await server.close() }
            answer = try await client.message()
        }
        await upstream.stop()
        return try #require(answer)
    }

    @Test("A server that speaks no TLS 1.3 is refused where that is the least, and served elsewhere")
    func leastVersion() async throws {
        var identity = try ServerIdentity(ServerIdentity.shared.get())
        identity.maximumTLSVersion = .tlsv12
        for minimum in [UpstreamTrust.TLSVersion.tls12, .tls13] {
            try await RunningProxy.withSecureUpstream(identity: identity) {
                $0.apis[0].tls.minimumVersion = minimum
            } _: { proxy, upstream in
                async let _ = upstream.answerNext()
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == (minimum == .tls12 ? 200 : 502))
                #expect(answer.proxyError == (minimum == .tls12 ? nil : "tls_protocol_error"))
            }
        }
    }
}
