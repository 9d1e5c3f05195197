import ForwardProxy
import FoundationEssentials
import LocalAuthority
import Logging
import NIOCore
import OAuthSigning
import ProviderSimulator
import Routing
import ServiceLifecycle
import Synchronization

/// Runs the proxy, sends the request, tells the story; then, where wanted, stays up for the viewer's own requests.
struct DemoRun: Service {
    let stage: DemoStage
    let provider: ProviderServer
    let directory: TemporaryDirectory
    let output: DemoOutput
    /// The curl that sends the request; nil where there is none.
    let curl: String?
    let staysUp: Bool
    let outcome: DemoOutcome
    let logger: Logger

    func run() async throws {
        let authority = try LocalAuthority.loadOrCreate(
            certificatePath: directory.file("ca.pem"),
            keyPath: directory.file("ca.key"),
            reach: AuthorityReach(hosts: DemoStage.hosts.map { try HostPattern($0) }),
            now: Date()
        )
        let providerAddress = try await provider.address
        let proxy = try await stage.makeProxy(
            provider: providerAddress,
            authority: authority,
            vaultDirectory: directory.file("vault"),
            logger: logger
        )
        let entrance = DemoEntrance(
            proxyAddress: try await proxy.bind(),
            certificateFile: directory.file("ca.pem"),
            certificatePEM: authority.certificatePEM
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await proxy.run() }
            let client = DemoClient(entrance: entrance, directory: directory, curl: curl)
            let story = Story(
                stage: stage,
                entrance: entrance,
                providerAddress: providerAddress.urlText,
                transcript: await client.send(),
                events: provider.provider.ledger.events
            )
            outcome.set(isVerified: story.isVerified)
            output.print(story)
            if staysUp { await receive(at: entrance) }
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    /// Receives requests until a signal to stop.
    private func receive(at entrance: DemoEntrance) async {
        let events = provider.provider.ledger.newEvents()
        output.print(Invitation(entrance: entrance))
        for await event in events.cancelOnGracefulShutdown() {
            output.print(Notice(event: event))
        }
    }
}

/// The outcome of the demo, handed from the service that finds out to the command: whether the provider verified the
/// request.
final class DemoOutcome: Sendable {
    private let value = Mutex(false)

    var isVerified: Bool { value.withLock { $0 } }

    func set(isVerified: Bool) {
        value.withLock { $0 = isVerified }
    }
}

/// Command lines to paste into another terminal.
struct Invitation: DemoText {
    let entrance: DemoEntrance

    func write(to page: inout Page) {
        page.title("Your turn, in another terminal")
        let base = "https://\(DemoRequest.host)"
        offer("A query that is easily signed wrongly:", ["\(base)/1.1/search.json?q=caf%C3%A9+%7e&q=&a%5B%5D=1"], &page)
        offer("A form:", ["--data-urlencode", "status=50% off, isn't it?", "\(base)/1.1/statuses/update.json"], &page)
        offer(
            "JSON, which OAuth does not sign:",
            ["--header", "Content-Type: application/json", "--data", #"{"text": "hello"}"#, "\(base)/2/tweets"],
            &page
        )
        offer(
            "Plain http:// to the proxy, TLS from there on:",
            ["http://\(DemoRequest.host)/1.1/account/settings.json"],
            trusting: false,
            &page
        )
        offer("A host whose pin is wrong: paraph refuses, and says why:", ["https://\(DemoStage.wrongPinHost)/"], &page)
        page.blank()
        page.line("Requests that reach the provider are listed here. ^C ends the demo and removes its files.")
        page.blank()
    }

    private func offer(_ title: String, _ arguments: [String], trusting: Bool = true, _ page: inout Page) {
        let trust = trusting ? ["--cacert", entrance.certificateFile] : []
        let command = CurlInvocation(groups: [["--proxy", entrance.proxyURL] + trust, arguments])
        page.blank()
        page.line(title)
        for line in command.shellLines { page.line(line) }
    }
}

/// One line for one request that reached the provider.
struct Notice: DemoText {
    let event: ProviderEvent

    func write(to page: inout Page) {
        let request = "\(event.request.method) https://\(event.request.authority)\(event.request.target)"
        page.line("#\(event.number)  \(request)  \(outcome)")
    }

    private var outcome: String {
        switch event.outcome {
        case .resourceServed(let verified, let user):
            "verified: \(verified.signatureMethod.rawValue), user \(user?.screenName ?? "none")"
        case .requestTokenGranted: "verified: step 1 of an exchange"
        case .accessTokenGranted: "verified: step 2 of an exchange"
        case .refused(let refusal): "refused: \(refusal)"
        case .temporaryCredentialsGranted: "verified: temporary credentials"
        case .authorizationAsked: "asks the user"
        case .authorizationApproved(let user): "approved by \(user.screenName)"
        case .authorizationDenied: "denied"
        case .tokenIssued: "granted an access token"
        case .resourceServedToToken(let user): "accepted: user \(user.screenName)"
        case .failureInjected: "failed on purpose"
        }
    }
}
