import ForwardProxy
import FoundationEssentials
import LocalAuthority
import Logging
import NIOCore
import ProviderSimulator
import Routing
import ServiceLifecycle
import Synchronization

/// Runs the proxy, sends the request, tells the story; then, where wanted, stays up for the viewer's own requests.
struct DemoRun: Service {
    /// The outcome of the demo, handed from the service that finds out to the command: whether the provider verified
    /// the request.
    final class Outcome: Sendable {
        private let value = Mutex(false)

        var isVerified: Bool { value.withLock { $0 } }

        func set(isVerified: Bool) {
            value.withLock { $0 = isVerified }
        }
    }

    let setup: DemoSetup
    let provider: ProviderServer
    let directory: TemporaryDirectory
    let output: DemoOutput
    /// The curl that sends the request; nil where there is none.
    let curl: String?
    let staysUp: Bool
    let outcome: Outcome
    let logger: Logger

    func run() async throws {
        let authority = try await BlockingWork.run { [directory] in
            try LocalAuthority.loadOrCreate(
                certificatePath: directory.file("ca.pem"),
                keyPath: directory.file("ca.key"),
                reach: AuthorityReach(hosts: DemoSetup.hosts.map { try HostPattern($0) }),
                now: Date()
            )
        }
        let providerAddress = try await provider.address
        let proxy = try await setup.makeProxy(
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
                setup: setup,
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
