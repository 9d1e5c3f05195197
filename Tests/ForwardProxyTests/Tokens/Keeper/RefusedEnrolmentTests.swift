import Credentials
import Foundation
import NIOCore
import OAuthSigning
import Settings
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("Claims that are not verified leave nothing behind", .generousLimit, .timed)
struct RefusedEnrolmentTests {
    enum Expected: Sendable {
        case refused
        case unavailable
    }

    private func expectNothing(_ proxy: RunningProxy, as account: String = "alice") async throws {
        #expect(try await proxy.enroller.accounts().names.isEmpty)
        let answer = try await proxy.get(account: account)
        #expect(answer.status == 403)
        try await proxy.expectNoSecrets()
    }

    private func expect(_ result: EnrolmentResult, _ expected: Expected) {
        switch (result, expected) {
        case (.refused(let detail), .refused), (.unavailable(let detail), .unavailable):
            #expect(!detail.isEmpty)
            #expect(!detail.contains("hidden"))
        default: Issue.record("\(result) is not \(expected)")
        }
    }

    /// The answer to whoever asks who they are.
    struct Me: Sendable, CustomTestStringConvertible {
        var status = "200 OK"
        var fields = ""
        /// The body, with PASSCODE for the secret that was claimed.
        var body = ""
        var expected = Expected.unavailable

        var testDescription: String { "\(status) \(fields)\(body)" }
    }

    static let answers = [
        Me(body: #"{"id":"bob"}"#, expected: .refused),
        Me(body: #"{"id":"Alice"}"#, expected: .refused),
        Me(status: "401 Unauthorized", body: "oauth_problem=token_rejected&x=PASSCODE", expected: .refused),
        Me(body: #"{"name":"alice"}"#),
        Me(body: #"{"id":"alice","id":"bob"}"#),
        Me(body: "<html>PASSCODE</html>"),
        Me(status: "302 Found", fields: "Location: http://api.test/you\n"),
        Me(status: "500 Oops", body: "PASSCODE is fine, we are not"),
        Me(status: "429 Slow Down", fields: "Retry-After: 5\n"),
        Me(fields: "Content-Length: 3\n", body: "{}"),
    ]

    @Test(
        "A claim that the provider denies, or answers with nonsense, leaves nothing",
        arguments: [EnrolmentAccessType.oauth1, .bearer],
        answers
    )
    func asksProvider(type: EnrolmentAccessType, me: Me) async throws {
        var verifying = VerifyingProvider(type: type)
        let secret = type == .oauth1 ? "hidden-token-secret" : "hidden-bearer"
        verifying.me = ScriptedProvider.answer(
            me.status,
            me.body.replacing("PASSCODE", with: secret),
            fields: me.fields
        )
        try await ScriptedProvider.with(answer: { [verifying] request, _ in verifying.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(type, port: provider.upstream.port)) { proxy in
                expect(await proxy.enroller.register(.valid(type)), me.expected)
                try await expectNothing(proxy)
                #expect(provider.count(EnrolmentClaim.path) == 1)
                #expect(provider.count("/") == 0)
            }
        }
    }

    @Test(
        "A claim whose password grant fails leaves nothing",
        arguments: [
            (ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#), .refused),
            (ScriptedProvider.answer("401 Unauthorized", #"{"error":"invalid_client"}"#), .unavailable),
            (ScriptedProvider.answer("503 Down", "hidden-password"), .unavailable),
            (ScriptedProvider.answer("200 OK", "<html>hidden-password</html>"), .unavailable),
        ] as [(String, Expected)]
    )
    func asksTokenEndpoint(answer: String, expected: Expected) async throws {
        let granting = GrantingProvider()
        granting.fail(with: answer)
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                expect(await proxy.enroller.register(.valid(.password)), expected)
                try await expectNothing(proxy)
            }
        }
    }

    @Test("A claim leaves nothing when nobody listens", arguments: EnrolmentAccessType.allCases)
    func tellsUnreachable(type: EnrolmentAccessType) async throws {
        try await UnusedPort.with { port in
            try await RunningProxy.with(.enrolling(type, port: port)) { proxy in
                expect(await proxy.enroller.register(.valid(type)), .unavailable)
                try await expectNothing(proxy)
            }
        }
    }

    @Test(
        "A claim leaves nothing when the provider does not answer in time, or ends the connection",
        arguments: EnrolmentAccessType.allCases
    )
    func tellsSilence(type: EnrolmentAccessType) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup.enrolling(type, port: upstream.port)
        setup.timeouts.responseHeader = .seconds(5)
        try await RunningProxy.with(setup) { proxy in
            async let registration = proxy.enroller.register(.valid(type))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.clock.expire(.seconds(5))
            let result = await registration
            guard case .timedOut(let detail) = result else {
                Issue.record("\(result) is no time-out")
                return
            }
            #expect(!detail.contains("hidden"))
            try await expectNothing(proxy)
        }
        await upstream.stop()
        setup.timeouts = ProxySetup.patient
        let other = try await ScriptedUpstream.start()
        setup.apis[0].port = other.port
        try await RunningProxy.with(setup) { proxy in
            async let result = proxy.enroller.register(.valid(type))
            let server = try await other.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 14\n\n{\"id\":")
            await server.close()
            expect(await result, .unavailable)
            try await expectNothing(proxy)
        }
        await other.stop()
    }

    @Test("A claim that cannot be one leaves nothing, and the provider is not asked")
    func refusesAtOnce() async throws {
        var verifying = VerifyingProvider(type: .oauth1)
        verifying.me = ScriptedProvider.answer("200 OK", #"{"id":"configured"}"#)
        try await ScriptedProvider.with(answer: { [verifying] request, _ in verifying.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.oauth1, port: provider.upstream.port)) { proxy in
                let claims = [
                    EnrolmentClaim.valid(.oauth1, passkey: "configured"),
                    EnrolmentClaim.valid(.oauth1, passkey: "default"),
                    EnrolmentClaim.valid(.oauth1, passkey: "a:b"),
                    EnrolmentClaim.valid(.bearer),
                    EnrolmentClaim(accessType: .oauth1, passkey: "alice", passcode: Secret("hidden-without-colon")),
                ]
                for claim in claims { expect(await proxy.enroller.register(claim), .refused) }
                #expect(provider.count(EnrolmentClaim.path) == 0)
                try await expectNothing(proxy)
            }
        }
    }

    @Test("A claim that is true but cannot be stored is told so, and the log says why")
    func tellsFailedStorage() async throws {
        let directory = try TestDirectory()
        let verifying = VerifyingProvider(type: .bearer)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            let setup = ProxySetup.enrolling(.bearer, port: provider.upstream.port)
            try await RunningProxy.with(setup, vaultDirectory: directory) { proxy in
                try FileManager.default.removeItem(atPath: directory.path)
                let result = await proxy.enroller.register(.valid(.bearer))
                guard case .failed(let detail) = result else {
                    Issue.record("\(result) is no failure")
                    return
                }
                #expect(detail.contains("could not be stored"))
                #expect(proxy.log.text.contains("an enrolled account could not be stored"))
                #expect(!proxy.log.text.contains("hidden"))
                #expect(try await proxy.get(account: "alice").status != 200)
            }
        }
    }
}
