import CredentialSamples
import CredentialStores
import Credentials
import Foundation
import OAuthSigning
import Settings
import Testing
import TestSupport

@Suite(
    "Watching the vault in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdWatchingTests {
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    @Test("After etcd was restored from a backup, any credential may have changed, and what changes then is told")
    func restored() async throws {
        let cluster = try await EtcdCluster(count: 1)
        let server = cluster.servers[0]
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            try await vault.store(Samples.credential(1), for: Samples.alice)
            try server.kill()
            let backup = server.data + ".backup"
            try FileManager.default.copyItem(atPath: server.data, toPath: backup)
            try await server.start()
            while (try? await client.revision) == nil {}

            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            for number in 2...4 {
                try await vault.store(Samples.credential(UInt64(number)), for: Samples.alice)
                #expect(await watching.next() == .changed(.some([Samples.alice])))
            }

            try server.kill()
            try FileManager.default.removeItem(atPath: server.data)
            try FileManager.default.moveItem(atPath: backup, toPath: server.data)
            try await server.start()
            #expect(await watching.nextChange() == .any)
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
            try await vault.store(Samples.credential(5), for: Samples.alice)
            #expect(await watching.nextChange() == .some([Samples.alice]))
        }
    }

    @Test("A user who may not read is told so once, and of changes as soon as reading is allowed")
    func permission() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { try await $0.enableUsers("paraph", password: "a password") }
        let user = EtcdSettings.User(name: "paraph", password: Secret("a password"))
        try await cluster.withClient(user: user) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            let reason = VaultError.etcdRefused(etcd: client.label, reason: "etcdserver: permission denied")
            #expect(await watching.next() == .interrupted(reason))
            #expect(vault.watchState?.interruption?.reason == reason)
            #expect(vault.watchState?.revision == nil)

            let root = EtcdSettings.User(name: "root", password: Secret("root"))
            try await cluster.withClient(user: root) { try await $0.permit("paraph", prefix: prefix) }
            #expect(await watching.next() == .changed(.any))
            #expect(await watching.next() == .interrupted(nil))
            try await vault.store(Samples.credential(1), for: Samples.alice)
            #expect(await watching.next() == .changed(.some([Samples.alice])))
            #expect(vault.watchState?.interruption == nil)
        }
    }

    @Test("A wrong password is told, with no word of it")
    func wrongPassword() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { try await $0.enableUsers("paraph", password: "a password") }
        let user = EtcdSettings.User(name: "paraph", password: Secret("another one"))
        try await cluster.withClient(user: user) { client in
            let watching = Watching(EtcdVault(client: client, prefix: prefix, key: key))
            defer { watching.stop() }
            let reason = "etcdserver: authentication failed, invalid user ID or password"
            #expect(await watching.next() == .interrupted(.etcdRefused(etcd: client.label, reason: reason)))
        }
    }

    @Test("A server that ends is told, and so is that the watch goes on when it is back; nothing is lost")
    func serverBack() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            try await vault.store(Samples.credential(1), for: Samples.alice)
            #expect(await watching.next() == .changed(.some([Samples.alice])))
            try cluster.servers[0].kill()
            let reason = await watching.nextInterruption()
            guard case .etcdUnavailable(client.label, _) = reason else {
                Issue.record("\(String(describing: reason))")
                return
            }
            #expect(vault.watchState?.revision != nil)
            try await cluster.servers[0].start()
            #expect(await watching.next() == .interrupted(nil))
            try await vault.store(Samples.credential(2), for: Samples.bob)
            #expect(await watching.next() == .changed(.some([Samples.bob])))
            watching.stop()
        }
    }

    @Test("To begin reads nothing of the credentials that are there")
    func beginning() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            try await EtcdVault(client: client, prefix: prefix, key: key)
                .store(Samples.credential(1), for: Samples.alice)
            try await client.fill(prefix: prefix + "credentials/", count: 5_000, bytes: 1_000)
            let before = try await cluster.servers[0].sentBytes
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            #expect(try await vault.load(Samples.alice) == Samples.credential(1))
            try await vault.store(Samples.credential(2), for: Samples.bob)
            #expect(await watching.next() == .changed(.some([Samples.bob])))
            // Everything takes 5 MB; what is asked all the time takes less than 100 bytes.
            #expect(try await cluster.servers[0].sentBytes - before < 100_000)
            _ = try await vault.listing()
            #expect(try await cluster.servers[0].sentBytes - before > 5_000_000)
        }
    }
}
