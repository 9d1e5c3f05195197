@testable import CredentialStores
import Credentials
import CredentialSamples
import Foundation
import NIOCore
import OAuthSigning
import Settings
import Testing
import TestSupport

/// Three servers, some of which end, stop or are cut off.
@Suite(
    "A cluster of etcd",
    .serialized,
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdClusterTests {
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"
    /// The time that a server has for an answer, as in use.
    let timeout = TimeAmount.milliseconds(1_500)

    private func name(_ number: Int) -> CredentialName {
        CredentialName(api: "twitter", account: "\(number)")
    }

    /// Stores credentials one after the other, each until it is.
    private func store(_ numbers: Range<Int>, in vault: EtcdVault) async throws {
        for number in numbers {
            while true {
                do {
                    try await vault.store(Samples.credential(UInt64(number)), for: name(number))
                    break
                } catch VaultError.etcdUnavailable {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }

    /// Begins with the leader, and ends with it, killed or stopped.
    private func withoutLeader(_ end: (EtcdServer) throws -> Void) async throws {
        let cluster = try await EtcdCluster()
        let leader = try await cluster.leader
        let order = (0..<3).map { (leader + $0) % 3 }
        try await cluster.withClient(of: order, timeout: timeout) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            try await store(0..<50, in: vault)
            try end(cluster.servers[leader])
            try await store(50..<100, in: vault)
            #expect(await watching.changed(until: name(99)) == (0..<100).map(name))
            #expect(vault.watchState?.interruption == nil)
            cluster.servers[leader].resume()
        }
    }

    @Test("When the leader is killed writes go on, and every change is told, in its order")
    func leaderKilled() async throws {
        try await withoutLeader { try $0.kill() }
    }

    @Test("When the leader stops, with all its connections, writes and watch go on at another server")
    func leaderStopped() async throws {
        try await withoutLeader { $0.pause() }
    }

    @Test("When a server that is no leader stops, writes and watch go on at another server")
    func serverStopped() async throws {
        let cluster = try await EtcdCluster()
        let follower = (try await cluster.leader + 1) % 3
        try await cluster.withClient(of: [follower, (follower + 1) % 3], timeout: timeout) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            try await store(0..<10, in: vault)
            cluster.servers[follower].pause()
            try await store(10..<20, in: vault)
            #expect(await watching.changed(until: name(19)) == (0..<20).map(name))
            cluster.servers[follower].resume()
        }
    }

    @Test("What was compacted while a watch was cut off is told as any change, and what follows in particular")
    func compacted() async throws {
        let cluster = try await EtcdCluster()
        let follower = (try await cluster.leader + 1) % 3
        let others = (0..<3).filter { $0 != follower }
        try await cluster.withClient(of: [follower], timeout: timeout) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            try await store(0..<1, in: vault)
            #expect(await watching.nextChange() == .some([name(0)]))
            cluster.servers[follower].pause()
            try await cluster.withClient(of: others) { client in
                let vault = EtcdVault(client: client, prefix: prefix, key: key)
                try await store(1..<10, in: vault)
                try await client.compact(at: client.revision)
            }
            #expect(await watching.nextInterruption() != nil)
            cluster.servers[follower].resume()
            #expect(await watching.nextChange() == .any)
            try await store(10..<11, in: vault)
            #expect(await watching.nextChange() == .some([name(10)]))
        }
    }

    @Test("A user goes on at a server that does not know the token of another one")
    func user() async throws {
        let cluster = try await EtcdCluster()
        try await cluster.withClient { client in
            try await client.enableUsers("paraph", password: "a password")
        }
        let root = EtcdSettings.User(name: "root", password: Secret("root"))
        try await cluster.withClient(user: root) { try await $0.permit("paraph", prefix: prefix) }
        let user = EtcdSettings.User(name: "paraph", password: Secret("a password"))
        try await cluster.withClient(user: user, timeout: timeout) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            try await store(0..<5, in: vault)
            #expect(await watching.changed(until: name(4)) == (0..<5).map(name))
            // Servers forget tokens when they end.
            try cluster.servers[1].kill()
            try await cluster.servers[1].start()
            try cluster.servers[0].kill()
            try await store(5..<10, in: vault)
            #expect(await watching.changed(until: name(9)) == (5..<10).map(name))
            #expect(vault.watchState?.interruption == nil)
        }
    }
}
