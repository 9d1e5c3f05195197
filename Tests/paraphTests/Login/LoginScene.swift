import Credentials
import OAuthSigning
import ProviderSimulator
import Synchronization
import Testing

@testable import paraph

/// A person before a terminal and a browser, and a provider that insists on everything it may.
final class LoginScene: Sendable {
    static let client = ClientCredentials(identifier: "client", sharedSecret: Secret("client-secret"))
    static let bob = RegisteredUser(
        user: ProviderUser(id: "7", screenName: "bob"),
        password: Secret("bob's password")
    )
    static var clients: [RegisteredClient] {
        [RegisteredClient(consumerKey: client.identifier, consumerSecret: client.sharedSecret)]
    }

    /// The clock of the machine, corrected by what a provider tells.
    private final class Clock: ExchangeClock {
        /// The provider's time minus the machine's; nil: it is not told.
        private let told: Int64?
        private let offset = Atomic<Int64>(0)

        init(told: Int64?) {
            self.told = told
        }

        var timestamp: UInt64 { UInt64(Int64(LoginScene.now) + offset.load(ordering: .relaxed)) }

        func follow(_ response: ExchangeResponse) -> Bool {
            guard let told else { return false }
            return offset.exchange(told, ordering: .relaxed) != told
        }
    }

    /// The time by the clock of the machine that the provider runs on.
    static let now: UInt64 = 1_800_000_000

    let provider: OAuthProvider
    let host: String
    private let said = Mutex<[String]>([])
    private let lines = AsyncStream<String>.makeStream()

    init(_ settings: ProviderSettings, host: String = "provider.example") {
        provider = OAuthProvider(settings: settings)
        self.host = host
    }

    /// The text that the terminal showed.
    var transcript: String { said.withLock { $0.joined(separator: "\n") } }

    func type(_ line: String) {
        lines.continuation.yield(line)
    }

    func endInput() {
        lines.continuation.finish()
    }

    /// - Parameter open: Does what happens in the browser.
    func person(open: @escaping @Sendable (LoginScene, String) async throws -> Void) -> ThreeLeggedLogin.Person {
        ThreeLeggedLogin.Person(
            say: { text in self.said.withLock { $0.append(text) } },
            lines: lines.stream,
            open: { address in
                Task {
                    do {
                        try await open(self, address)
                    } catch {
                        Issue.record(error)
                        self.endInput()
                    }
                }
            }
        )
    }

    /// - Parameter readsClock: Whether the provider's clock stands for the machine's, as the command has it.
    func conversation(readsClock: Bool = false) -> ProviderConversation {
        ProviderConversation(
            clock: Clock(told: readsClock ? provider.settings.clockOffset : nil),
            send: { request throws(ExchangeFailure) in
                let received = ReceivedRequest(
                    method: request.method,
                    target: request.destination.target,
                    authority: request.destination.authority,
                    fields: request.fields.map { (name: $0.0, value: $0.1) } + [("User-Agent", "test")],
                    body: request.body
                )
                let answer = self.provider.answer(received, now: Self.now)
                return ExchangeResponse(
                    status: answer.status,
                    fields: [("Content-Type", answer.contentType)] + answer.fields.map { ($0.name, $0.value) },
                    body: answer.body
                )
            }
        )
    }

    /// Returns the answer of the provider's page to a browser.
    func browse(_ address: String, deciding decision: String = "approve=1") throws -> SimulatedAnswer {
        let match = try #require(address.wholeMatch(of: /https:\/\/([^\/]+)(\/.*)/))
        return provider.answer(
            ReceivedRequest(
                method: "GET",
                target: "\(match.2)&\(decision)",
                authority: String(match.1),
                fields: [("User-Agent", "browser")]
            ),
            now: Self.now
        )
    }

    /// Returns the URL that the provider sends the browser to after the decision.
    func redirect(_ address: String, deciding decision: String = "approve=1") throws -> String {
        let answer = try browse(address, deciding: decision)
        return try #require(answer.fields.first { $0.name == "Location" }?.value)
    }

    /// The verifier that the provider's page shows.
    func shownVerifier(_ address: String) throws -> String {
        let page = String(decoding: try browse(address).body, as: UTF8.self)
        return String(try #require(page.firstMatch(of: /<code>(.*)<\/code>/)?.1))
    }
}
