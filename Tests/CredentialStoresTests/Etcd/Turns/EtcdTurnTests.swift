@testable import CredentialStores
import Credentials
import CredentialSamples
import Foundation
import NIOCore
import OAuthSigning
import Synchronization
import Testing
import TestSupport

@Suite(
    "Turns at exchanging in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdTurnTests {
    private static let isNever = { @Sendable (_: StoredCredential, _: Bool) in false }
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    @Test("A holder that loses the lease is stopped, and stores nothing more")
    func lost() async throws {
        try await withVaults(lease: .seconds(3)) { vault, client in
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                guard let lease = (turn as? EtcdTurn)?.lease else { return false }
                _ = try? await client.send(EtcdLease.Revocation(id: lease))
                // Ends by cancellation, as an exchange does.
                while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
                await #expect(throws: VaultError.turnLost(Samples.alice)) {
                    try await turn.change { _ in .store(Samples.credential(2)) }
                }
                return turn.end == .lost
            }
            guard case .taken(true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
        }
    }

    @Test("What is stored after another one has taken over is refused by etcd itself")
    func fenced() async throws {
        try await withVaults { vault, client in
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                guard let own = turn as? EtcdTurn else { return false }
                // As it is after a stop that was longer than the lease: nobody here has noticed yet.
                _ = try? await client.send(EtcdLease.Revocation(id: own.lease))
                let second = try? await vault.withTurn(for: Samples.alice, unless: Self.isNever) { second in
                    await #expect(throws: VaultError.turnLost(Samples.alice)) {
                        try await vault.change(Samples.alice, in: own) { _ in .store(Samples.credential(2)) }
                    }
                    return try? await second.change { _ in .store(Samples.credential(3)) }
                }
                guard case .taken(true?)? = second else { return false }
                return true
            }
            guard case .taken(true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try await vault.load(Samples.alice) == Samples.credential(3))
        }
    }

    @Test("A turn whose lease ends before it is taken, as that of a process which stands still, is taken anew")
    func leaseOver() async throws {
        let server = try await EtcdServer.shared.value
        let direct = EtcdClient(endpoints: [server.endpoint], timeout: .seconds(60))
        let isOver = Mutex(false)
        try await EtcdRelay.with(to: server.endpoint) { path, answer in
            guard path == EtcdLease.Grant.path, isFirst(isOver) else {
                return
            }
            let lease = try? JSONDecoder().decode(EtcdLease.Grant.Response.self, from: Data(answer.readableBytesView))
            if let lease { _ = try? await direct.send(EtcdLease.Revocation(id: lease.id)) }
        } _: { endpoint in
            let client = EtcdClient(endpoints: [endpoint], timeout: .seconds(60))
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { _ in true }
            await client.close()
            guard case .taken(true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(isOver.withLock { $0 })
        }
        await direct.close()
    }

    @Test("Giving a turn up ends that one alone, however late")
    func ownAlone() async throws {
        try await withVaults { vault, client in
            _ = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                guard let lease = (turn as? EtcdTurn)?.lease else { return }
                _ = try? await client.send(EtcdLease.Revocation(id: lease))
                _ = try? await vault.withTurn(for: Samples.alice, unless: Self.isNever) { second in
                    // The first one is given up once more.
                    _ = try? await client.send(EtcdLease.Revocation(id: lease))
                    let isStored = try? await second.change { _ in .store(Samples.credential(1)) }
                    #expect(isStored == true)
                }
            }
        }
    }

    @Test("The turn of a replica that is heard of no more goes to another one")
    func deadHolder() async throws {
        try await withVaults { vault, client in
            let turnKey = try await vault.keys().exchange(Samples.alice)
            let lease = try await client.send(EtcdLease.Grant(ttl: 2)).id
            _ = try await client.send(
                EtcdTransaction(
                    if: [],
                    [.put(EtcdBytes("a dead one"), at: EtcdBytes(turnKey), lease: lease)],
                    otherwiseReading: []
                )
            )
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { _ in true }
            guard case .taken(true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test("A turn is held for as long as the exchange takes, and that for no longer than it may")
    func limit() async throws {
        try await withVaults(exchangeLimit: .seconds(1)) { vault, _ in
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
                return turn.end
            }
            guard case .taken(.timedOut?) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test("What an exchange has brought is stored also when the turn has taken its time")
    func storedAtTheLimit() async throws {
        try await withVaults(exchangeLimit: .seconds(1)) { vault, _ in
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
                return try? await turn.change { _ in .store(Samples.credential(1)) }
            }
            guard case .taken(true?) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
        }
    }

    @Test("A turn whose end etcd could not be told is over once it can be, and not with its lease")
    func endedLater() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key, lease: .seconds(3_600))
            _ = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { _ in
                #expect(throws: Never.self) { try cluster.servers[0].kill() }
            }
            try await cluster.servers[0].start()
            while (try? await client.revision) == nil {}
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { _ in true }
            guard case .taken(true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    private func isFirst(_ happened: borrowing Mutex<Bool>) -> Bool {
        happened.withLock { happened in
            defer { happened = true }
            return !happened
        }
    }

    /// - Parameter lease: The lease, longer than a test may stand still.
    private func withVaults(
        lease: Duration = .seconds(600),
        exchangeLimit: Duration = .seconds(600),
        _ body: (EtcdVault, EtcdClient) async throws -> Void
    ) async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(
                client: client,
                prefix: prefix,
                key: key,
                lease: lease,
                exchangeLimit: exchangeLimit
            )
            try await body(vault, client)
        }
    }
}
