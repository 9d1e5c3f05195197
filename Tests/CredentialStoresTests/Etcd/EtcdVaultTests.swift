import CredentialSamples
import CredentialStores
import Credentials
import Foundation
import OAuthSigning
import Settings
import Testing
import TestSupport

@Suite(
    "The vault in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdVaultTests {
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    @Test("etcd sees neither names nor contents")
    func sealing() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let pairs = try await client.pairs(prefix: prefix)
            #expect(pairs.count == 2)
            for (key, value) in pairs {
                let text = Data(key.dropFirst(prefix.utf8.count).utf8) + value
                for part in ["twitter", "alice", "token-1", "a secret 1", "user_id", "screen_name"] {
                    #expect(text.range(of: Data(part.utf8)) == nil, "\(part) is legible")
                }
            }
        }
    }

    @Test("It is the same one by another connection, but not under another prefix or key, or at other servers")
    func identity() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            #expect(vault.isSame(as: vault))
            #expect(vault.isSame(as: EtcdVault(client: client, prefix: prefix, key: key)))
            #expect(!vault.isSame(as: EtcdVault(client: client, prefix: "test/other/", key: key)))
            #expect(!vault.isSame(as: EtcdVault(client: client, prefix: prefix, key: .generate())))
            let elsewhere = EtcdEndpoint(host: "etcd.test", port: 2379)
            let server = try await EtcdServer.shared.value
            for (endpoints, isSame) in [([elsewhere], false), ([elsewhere, server.endpoint], true)] {
                let other = EtcdClient(endpoints: endpoints)
                #expect(vault.isSame(as: EtcdVault(client: other, prefix: prefix, key: key)) == isSame)
                await other.close()
            }
        }
    }

    @Test("An older record that was put back is noticed, told, and replaced by what is stored next")
    func putBack() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let (name, first) = try #require(try await client.pairs(prefix: prefix + "credentials/").first)
            try await vault.store(Samples.credential(2), for: Samples.alice)
            try await client.put(first, at: name)
            let expected = VaultError.recordUnusable(record: name, .putBack(generation: 1, writes: 3))
            await #expect(throws: expected) { try await vault.load(Samples.alice) }
            #expect(try await vault.contents().errors == [expected])
            try await vault.store(Samples.credential(3), for: Samples.alice)
            #expect(try await vault.load(Samples.alice) == Samples.credential(3))
        }
    }

    @Test("A record that is put back after its credential was removed is noticed")
    func putBackAfterRemoval() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let (name, first) = try #require(try await client.pairs(prefix: prefix + "credentials/").first)
            #expect(try await vault.remove(Samples.alice))
            try await client.put(first, at: name)
            await #expect(throws: VaultError.recordUnusable(record: name, .putBack(generation: 1, writes: 3))) {
                try await vault.load(Samples.alice)
            }
        }
    }

    @Test("A record is noticed that is put back with as many writes as it had, after its key was removed")
    func putBackWithWrites() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            for number in 1...3 { try await vault.store(Samples.credential(UInt64(number)), for: Samples.alice) }
            let (name, third) = try #require(try await client.pairs(prefix: prefix + "credentials/").first)
            #expect(try await vault.remove(Samples.alice))
            try await client.delete(name)
            for _ in 1...3 { try await client.put(third, at: name) }
            let error = await #expect(throws: VaultError.self) { try await vault.load(Samples.alice) }
            guard case .recordUnusable(name, .ofEarlierKey(let created, let now)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(created > 0 && created < now)
            try await vault.store(Samples.credential(4), for: Samples.alice)
            #expect(try await vault.load(Samples.alice) == Samples.credential(4))
        }
    }

    @Test("A record that was moved to another credential's key, or to another prefix, does not open")
    func moved() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            let (alice, record) = try #require(try await client.pairs(prefix: prefix + "credentials/").first)
            try await vault.store(Samples.credential(2), for: Samples.bob)
            let names = try await client.pairs(prefix: prefix + "credentials/").map(\.key)
            let bob = try #require(names.first { $0 != alice })
            try await client.put(record, at: bob)
            await #expect(throws: VaultError.recordUnusable(record: bob, .damaged)) {
                try await vault.load(Samples.bob)
            }
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
        }
    }

    @Test("Another vault key opens nothing, and says so at once")
    func otherKey() async throws {
        try await EtcdServer.withSharedClient { client in
            _ = try await EtcdVault(client: client, prefix: prefix, key: key).load(Samples.alice)
            let other = EtcdVault(client: client, prefix: prefix, key: .generate())
            await #expect(throws: VaultError.recordUnusable(record: prefix + "names", .otherKey)) {
                try await other.load(Samples.alice)
            }
        }
    }

    @Test("The first replica makes the key of names, and all have the same")
    func firstOfMany() async throws {
        try await EtcdServer.withSharedClient { client in
            let vaults = (0..<8).map { _ in EtcdVault(client: client, prefix: prefix, key: key) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for vault in vaults { group.addTask { _ = try await vault.load(Samples.bob) } }
                try await group.waitForAll()
            }
            try await vaults[0].store(Samples.credential(1), for: Samples.alice)
            for vault in vaults { #expect(try await vault.load(Samples.alice) == Samples.credential(1)) }
        }
    }

    @Test("Credentials whose key of names is gone are not given another")
    func missingNames() async throws {
        try await EtcdServer.withSharedClient { client in
            let first = EtcdVault(client: client, prefix: prefix, key: key)
            try await first.store(Samples.credential(1), for: Samples.alice)
            try await client.delete(prefix + "names")
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            await #expect(throws: VaultError.recordUnusable(record: prefix + "names", .missing)) {
                try await vault.load(Samples.alice)
            }
        }
    }

    @Test("More than a page of credentials is listed whole, without those of other prefixes")
    func pages() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let other = EtcdVault(client: client, prefix: prefix + "credentials0/", key: key)
            try await other.store(Samples.credential(1), for: Samples.alice)
            let names = (0..<1_100).map { CredentialName(api: "api", account: "\(10_000 + $0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask { try await vault.store(Samples.credential(1), for: name) }
                }
                try await group.waitForAll()
            }
            #expect(try await vault.listing().names == names)
        }
    }

    @Test("Where no server can be reached the error names each, and why")
    func unreachable() async throws {
        let endpoints = [
            EtcdEndpoint(port: 1),
            EtcdEndpoint(host: "::1", port: 1),
        ]
        let client = EtcdClient(endpoints: endpoints)
        let error = await #expect(throws: VaultError.self) {
            try await EtcdVault(client: client, prefix: prefix, key: key).load(Samples.alice)
        }
        await client.close()
        guard case .etcdUnavailable(let etcd, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(etcd == "http://127.0.0.1:1, http://[::1]:1")
        #expect(reason.contains("http://127.0.0.1:1: ") && reason.contains("; http://[::1]:1: "))
    }

    @Test("A server that cannot be reached is passed over")
    func passedOver() async throws {
        try await EtcdServer.withSharedClient(after: [EtcdEndpoint(port: 1)]) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
        }
    }
}
