import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@testable import CredentialStores

@Suite(
    "A backup of etcd that is restored",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdRestorationTests {
    private static let isNever = { @Sendable (_: StoredCredential, _: Bool) in false }
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    @Test("What may be used once and is of the backup is not sent again, which is told once; what is stored then is")
    func watched() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Self.credential(1), for: Samples.alice)
            try await vault.store(Self.credential(1, .repeatable), for: Samples.bob)
            let backup = try await makeBackup(of: cluster.servers[0], client)
            let watching = Watching(vault)
            #expect(await watching.next() == .changed(.any))
            for number in 2...9 { try await vault.store(Self.credential(number), for: Samples.alice) }
            // A watch that has told nothing since the backup would have nothing to notice.
            try await vault.store(Self.credential(9), for: Samples.bob)
            _ = await watching.changed(until: Samples.bob)
            let from = try await client.revision
            try await restore(backup, at: cluster.servers[0], client)
            var told = await watching.nextInterruption()
            while told?.isUnavailability == true { told = await watching.nextInterruption() }
            let to = try await client.revision
            // The note is the only thing that was written since.
            #expect(told == .etcdRestored(etcd: client.label, from: from, to: to - 1))
            watching.stop()

            let text = told.map { "\($0)" } ?? ""
            #expect(text.contains("restored from a backup") && text.contains("paraph login"))
            #expect(try await turnToken(of: Samples.alice, in: vault) == Self.credential(1).withRefreshBegun)
            #expect(try await turnToken(of: Samples.bob, in: vault) == Self.credential(1, .repeatable))
            // One that starts afterwards.
            let later = EtcdVault(client: client, prefix: prefix, key: key)
            #expect(try await turnToken(of: Samples.alice, in: later) == Self.credential(1).withRefreshBegun)
            try await later.store(Self.credential(10), for: Samples.alice)
            #expect(try await turnToken(of: Samples.alice, in: vault) == Self.credential(10))
            #expect(try await turnToken(of: Samples.alice, in: later) == Self.credential(10))
        }
    }

    @Test("A turn notices it by itself, and the others go by the note of the first one")
    func inTurn() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vaults = (0..<2).map { _ in EtcdVault(client: client, prefix: prefix, key: key) }
            try await vaults[0].store(Self.credential(1), for: Samples.alice)
            let backup = try await makeBackup(of: cluster.servers[0], client)
            for number in 2...40 {
                for vault in vaults { try await vault.store(Self.credential(number), for: Samples.alice) }
            }
            try await restore(backup, at: cluster.servers[0], client)
            #expect(try await turnToken(of: Samples.alice, in: vaults[0]) == Self.credential(1).withRefreshBegun)
            try await vaults[0].store(Self.credential(50), for: Samples.alice)
            // It notices it now, and what was stored since is no part of the backup.
            #expect(try await turnToken(of: Samples.alice, in: vaults[1]) == Self.credential(50))
        }
    }

    @Test("A re-key does not have what is of the backup look new")
    func rekeyed() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Self.credential(1), for: Samples.alice)
            let backup = try await makeBackup(of: cluster.servers[0], client)
            for number in 2...9 { try await vault.store(Self.credential(number), for: Samples.alice) }
            try await restore(backup, at: cluster.servers[0], client)
            #expect(try await turnToken(of: Samples.alice, in: vault) == Self.credential(1).withRefreshBegun)
            let command = EtcdVault(client: client, prefix: prefix, key: key)
            _ = try await command.rekey { .generate() }
            #expect(try await turnToken(of: Samples.alice, in: vault) == Self.credential(1).withRefreshBegun)
        }
    }

    @Test("What was compacted is no backup")
    func compacted() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            for number in 1...9 { try await vault.store(Self.credential(number), for: Samples.alice) }
            try await client.compact(at: try await client.revision)
            #expect(try await turnToken(of: Samples.alice, in: vault) == Self.credential(9))
            #expect(try await client.pairs(prefix: prefix + "restored").isEmpty)
        }
    }

    private static func credential(_ number: Int, _ use: RefreshTokenUse = .once) -> StoredCredential {
        StoredCredential(
            token: .access(
                AccessToken(Secret("access \(number)"), refreshToken: Secret("refresh \(number)"), refreshTokenUse: use)
            ),
            obtainedAt: 1
        )
    }

    /// Returns what an exchange has to go by.
    private func turnToken(of name: CredentialName, in vault: EtcdVault) async throws -> StoredCredential? {
        let outcome = try await vault.withTurn(for: name, unless: Self.isNever) { turn in turn.stored }
        guard case .taken(let stored) = outcome else { return nil }
        return stored
    }

    private func makeBackup(of server: EtcdServer, _ client: EtcdClient) async throws -> String {
        try server.kill()
        let backup = server.data + ".backup"
        try FileManager.default.copyItem(atPath: server.data, toPath: backup)
        try await server.start()
        while (try? await client.revision) == nil {}
        return backup
    }

    private func restore(_ backup: String, at server: EtcdServer, _ client: EtcdClient) async throws {
        try server.kill()
        try FileManager.default.removeItem(atPath: server.data)
        try FileManager.default.moveItem(atPath: backup, toPath: server.data)
        try await server.start()
        while (try? await client.revision) == nil {}
    }
}
