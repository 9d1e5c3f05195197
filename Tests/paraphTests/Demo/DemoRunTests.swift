import FoundationEssentials
import Logging
import ProviderSimulator
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import paraph

@Suite(.generousLimit, .timed) struct DemoRunTests {
    private final class Recording: Sendable {
        private let pages = Mutex("")
        var text: String { pages.withLock(\.self) }
        func append(_ page: String) { pages.withLock { $0 += page } }
    }

    private func perform(
        curl: String? = nil,
        _ change: (OAuthProvider) -> Void = { _ in }
    ) async throws -> (isVerified: Bool, text: String) {
        let logger = Logger(label: "demo") { _ in SwiftLogNoOpLogHandler() }
        let setup = try DemoSetup(now: Date())
        let provider = try setup.makeProvider(logger: logger)
        change(provider.provider)
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let outcome = DemoRun.Outcome()
        let recording = Recording()
        let demo = DemoRun(
            setup: setup,
            provider: provider,
            directory: directory,
            output: DemoOutput(style: .plain) { recording.append($0) },
            curl: curl,
            staysUp: false,
            outcome: outcome,
            logger: logger
        )
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: provider),
                    .init(service: demo, successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                logger: logger
            )
        )
        try await services.run()
        return (outcome.isVerified, recording.text)
    }

    @Test(arguments: Set([nil, CurlInvocation.path]))
    func `the request is signed on its way and verified`(curl: String?) async throws {
        let (isVerified, text) = try await perform(curl: curl)
        #expect(isVerified, "\(text)")
        #expect(text.hasSuffix("\nVerified: the client sent it unsigned, and the provider accepts its signature.\n"))
        for part in 1...5 { #expect(text.contains("\n\(part). ")) }
        #expect(text.contains("POST https://api.demo.test/oauth/request_token"))
        #expect(text.contains("%26status%3DHello%2520Ladies%2520%252B%2520Gentlemen"))
        #expect(text.contains("TLS 1.3"))
    }

    @Test func `an exchange that fails is told, and nothing counts as verified`() async throws {
        let (isVerified, text) = try await perform { provider in
            let failure = SimulatedAnswer(status: 401, contentType: "text/plain", body: Array("come back later".utf8))
            provider.fail(.accessToken, with: failure)
        }
        #expect(!isVerified)
        #expect(text.contains("come back later"))
        #expect(text.contains("HTTP/1.1 502 "))
        #expect(text.hasSuffix("\nNot verified: the provider has not accepted a signature of this request.\n"))
    }

    @Test func `no secret is shown in full`() async throws {
        let (_, text) = try await perform()
        let line = try #require(text.split(separator: "\n").first { $0.contains("oauth_token_secret=") })
        let secret = try #require(line.split(separator: "=").last)
        #expect(secret.hasSuffix("...  (shortened)"))
        #expect(secret.count == 4 + "...  (shortened)".count)
    }
}
