import Bytes
import Credentials
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A provider whose clock is another is followed", .generousLimit, .timed)
struct ClockCorrectionTests {
    private func with(
        _ clocked: ClockedProvider = ClockedProvider(),
        isSecure: Bool = true,
        configure: (inout ProxySetup) -> Void = { _ in },
        _ body: (RunningProxy, ScriptedProvider) async throws -> Void
    ) async throws {
        try await ScriptedProvider.with(isSecure: isSecure, answer: { request, _ in clocked.answer(request) }) {
            provider in
            var setup =
                isSecure ? try ProxySetup(secure: provider.upstream) : ProxySetup(plain: provider.upstream)
            configure(&setup)
            try await RunningProxy.with(setup) { try await body($0, provider) }
            #expect(clocked.saysOnce)
        }
    }

    private static let requests = [
        ("", RunningProxy.request()),
        ("a=1&b=2", RunningProxy.request("POST", fields: "Content-Type: \(form)\n", body: "a=1&b=2")),
        ("[1]", RunningProxy.request("POST", fields: "Content-Type: application/json\n", body: "[1]")),
        ("[12]", RunningProxy.request("POST", fields: "Transfer-Encoding: chunked\n") + "2\n[1\n2\n2]\n0\n\n"),
    ]
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "A refused request is repeated with its body by the provider's clock, and later ones go by it",
        arguments: requests
    )
    func follows(body: String, request: String) async throws {
        try await with { proxy, provider in
            #expect(await proxy.samples("paraph_clock_offset_seconds").isEmpty)
            #expect(proxy.server.clockOffsets == [:])
            let first = try await proxy.answer(to: request)
            #expect(first.status == 200)
            #expect(first.body == body)
            #expect(first["Proxy-Status"] == nil)
            #expect(provider.count("/") == 2)
            #expect(try await proxy.answer(to: request).status == 200)
            #expect(provider.count("/") == 3)
            #expect(proxy.log.text.contains("the provider's clock is followed"))
            #expect(proxy.log.text.contains("\"offset_seconds\": -"))
            #expect(await proxy.samples("paraph_clock_offset_seconds")["api"] ?? 0 < 0)
            #expect(proxy.server.clockOffsets["api"] ?? 0 < 0)
            try await proxy.expectNoSecrets(requests: 2)
        }
    }

    @Test("Monotonic timestamps go back to the provider's clock too, and rise from there", arguments: [false, true])
    func followsMonotonically(isTwoLooped: Bool) async throws {
        let settings = OAuth1Settings(client: ProxySetup.Secrets.client, timestamps: .monotonic)
        let clocked = ClockedProvider()
        let configure = { (setup: inout ProxySetup) in
            setup.apis[0].scheme = .oauth1(settings)
            setup.isTwoLooped = isTwoLooped
        }
        try await with(clocked, configure: configure) { proxy, provider in
            #expect(try await proxy.get().status == 200)
            #expect(provider.count("/") == 2)
            let answers = try await proxy.gets(20)
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(Set(clocked.accepted).count == 21)
        }
    }

    @Test("What one event loop learnt, all go by")
    func sharesOffset() async throws {
        try await with(configure: { $0.isTwoLooped = true }) { proxy, provider in
            #expect(try await proxy.get().status == 200)
            let answers = try await proxy.gets(10)
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(provider.count("/") == 12)
        }
    }

    @Test("A body that is not at hand any more is not repeated, but the clock is learnt from its refusal")
    func learnsFromUpload() async throws {
        try await with { proxy, provider in
            let body = String(repeating: "x", count: 100_000)
            let answer = try await proxy.answer(to: RunningProxy.request("PUT", body: body))
            #expect(answer.status == 401)
            #expect(answer.body == "oauth_problem=timestamp_refused")
            #expect(answer.refusal?.details.hasPrefix("Timestamp refused") == true)
            #expect(provider.count("/") == 1)
            #expect(try await proxy.get().status == 200)
            #expect(provider.count("/") == 2)
        }
    }

    @Test("In clear text anybody could have said so: nothing is learnt, but the client is told")
    func distrustsClearText() async throws {
        try await with(ClockedProvider(scheme: .http), isSecure: false) { proxy, provider in
            for count in 1...2 {
                let answer = try await proxy.get()
                #expect(answer.status == 401)
                let details = try #require(answer.refusal?.details)
                #expect(details.contains("s behind this machine's"), "\(details)")
                #expect(provider.count("/") == count)
            }
            #expect(!proxy.log.text.contains("the provider's clock is followed"))
            #expect(await proxy.samples("paraph_clock_offset_seconds").isEmpty)
        }
    }

    @Test("An API that is not to be followed is not")
    func obeysSettings() async throws {
        let settings = OAuth1Settings(client: ProxySetup.Secrets.client, correctsClock: false)
        try await with(configure: { $0.apis[0].scheme = .oauth1(settings) }) { proxy, provider in
            for count in 1...2 {
                let answer = try await proxy.get()
                #expect(answer.status == 401)
                #expect(answer.refusal?.details.contains("clock_correction: on") == true)
                #expect(provider.count("/") == count)
            }
        }
    }

    @Test("The verification of a claim follows it too, before any request has")
    func verifiesClaims() async throws {
        let clocked = ClockedProvider()
        let me = ScriptedProvider.answer("200 OK", #"{"id":"alice"}"#)
        let answer: ScriptedProvider.Answer = { request, _ in
            let answer = clocked.answer(request)
            return answer.contains("200 OK") ? me : answer
        }
        try await ScriptedProvider.with(isSecure: true, answer: answer) { provider in
            var setup = try ProxySetup(secure: provider.upstream)
            setup.apis[0].acceptsEnrolled = true
            let target = EnrolmentSettings.Target(api: 0, verifyURL: "https://api.test\(EnrolmentClaim.path)")
            setup.enrolment = EnrolmentSettings(targets: [.oauth1: target])
            try await RunningProxy.with(setup) { proxy in
                let claim = EnrolmentClaim.valid(.oauth1)
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
                #expect(provider.count(EnrolmentClaim.path) == 2)
                #expect(proxy.log.text.contains("the provider's clock is followed"))
            }
        }
    }

    @Test("A request is repeated once, whatever the provider answers then")
    func repeatsOnce() async throws {
        let refusal = ScriptedProvider.answer(
            "401 Unauthorized",
            "oauth_problem=timestamp_refused",
            fields: "Date: \(ClockedProvider.date)\n"
        )
        try await ScriptedProvider.with(isSecure: true, answer: { _, _ in refusal }) { provider in
            try await RunningProxy.with(ProxySetup(secure: provider.upstream)) { proxy in
                let first = try await proxy.get()
                #expect(first.status == 401)
                // The time of its own answer is not what it wants: that is not followed any more.
                #expect(first.refusal?.details.contains("by the provider's Date field was refused, too") == true)
                #expect(proxy.log.text.contains("the provider's clock is not followed"))
                #expect(provider.count("/") == 2)
                #expect(try await proxy.get().status == 401)
                #expect(provider.count("/") == 3)
            }
        }
    }

    @Test(
        "The range that the provider accepts counts, with the Date where that is in it",
        arguments: [
            ("", 784_112_000...784_114_000, true),
            ("Date: Sun, 06 Nov 2044 08:49:37 GMT\n", 784_112_000...784_114_000, true),
            ("Date: \(ClockedProvider.date)\n", 784_111_000...784_200_000, true),
            ("", 1...2, false),
        ] as [(String, ClosedRange<Int>, Bool)]
    )
    func followsRange(date: String, range: ClosedRange<Int>, succeeds: Bool) async throws {
        let body = "oauth_problem=timestamp_refused&oauth_acceptable_timestamps=\(range.lowerBound)-\(range.upperBound)"
        try await with(ClockedProvider(fields: date, body: body)) { proxy, provider in
            let answer = try await proxy.get()
            #expect(answer.status == (succeeds ? 200 : 401))
            #expect(provider.count("/") == 2)
        }
    }

    @Test("Times that no clock has do no harm")
    func survivesNonsense() async throws {
        let problem = "oauth_problem=timestamp_refused"
        let refusals = [
            ScriptedProvider.answer("401 No", problem, fields: "Date: Sat, 01 Jan 0000 00:00:00 GMT\n"),
            ScriptedProvider.answer("401 No", "\(problem)&oauth_acceptable_timestamps=\(UInt64.max - 1)-\(UInt64.max)"),
            ScriptedProvider.answer("401 No", problem, fields: "Date: Fri, 31 Dec 9999 23:59:60 GMT\n"),
        ]
        try await ScriptedProvider.with(isSecure: true, answer: { _, count in refusals[count % 3] }) { provider in
            try await RunningProxy.with(ProxySetup(secure: provider.upstream)) { proxy in
                for _ in 0..<3 {
                    let answer = try await proxy.get()
                    #expect(answer.refusal?.details.hasPrefix("Timestamp refused") == true)
                }
                #expect(provider.count("/") == 6)
            }
        }
    }

    @Test("Without a date that can be read nothing is learnt", arguments: ["", "Date: yesterday\n"])
    func needsDate(fields: String) async throws {
        try await with(ClockedProvider(fields: fields)) { proxy, provider in
            let answer = try await proxy.get()
            #expect(answer.status == 401)
            #expect(answer.refusal?.details.hasPrefix("Timestamp refused") == true)
            #expect(provider.count("/") == 1)
        }
    }

    @Test("A token exchange whose timestamp is refused is begun again by the provider's clock, and requests go by it")
    func correctsExchange() async throws {
        let clocked = ClockedProvider(body: "oauth_problem=timestamp_refused")
        let answer: ScriptedProvider.Answer = { request, count in
            guard request.target == "/access_token" else { return clocked.answer(request) }
            return count == 1
                ? ScriptedProvider.answer(
                    "401 Unauthorized",
                    "oauth_problem=timestamp_refused",
                    fields: "Date: \(ClockedProvider.date)\n"
                )
                : ScriptedProvider.answer("200 OK", "oauth_token=account-token&oauth_token_secret=hidden-token-secret")
        }
        try await ScriptedProvider.with(isSecure: true, answer: answer) { provider in
            var setup = try ProxySetup(secure: provider.upstream)
            let xAuth = XAuthSettings(
                accessTokenURL: "https://api.test/access_token",
                login: PasswordCredentials(username: "alice", password: Secret("hidden-password"))
            )
            setup.apis[0].accounts = [AccountSettings(name: "default", source: .xAuth(xAuth))]
            try await RunningProxy.with(setup) { proxy in
                #expect(try await proxy.get().status == 200)
                #expect(provider.count("/access_token") == 2)
                #expect(provider.count("/") == 1)
                try await proxy.expectNoSecrets()
            }
        }
    }

    @Test("The middle one of the times that a provider accepts is followed")
    func followsMiddle() {
        #expect(ClockOffset.read(acceptable: 100...300, now: 50) == 150)
        #expect(ClockOffset.read(acceptable: 100...101, now: 150) == -50)
    }
}
