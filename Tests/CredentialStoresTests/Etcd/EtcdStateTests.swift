@testable import CredentialStores
import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Settings
import Testing
import TestSupport

@Suite(
    "The state of the vault in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdStateTests {
    private static let isNever = { @Sendable (_: StoredCredential, _: Bool) in false }
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    @Test("A directory has none to share")
    func directory() async throws {
        let directory = try TestDirectory()
        let store = DirectoryStore(try Vault(directory: directory("vault"), key: key))
        #expect(await store.state(knowing: []) == nil)
    }

    @Test("Records, revision and what was seen")
    func records() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let empty = await vault.state(knowing: [])
            #expect(empty?.failure == nil)
            #expect(empty?.records == 0)
            #expect(empty?.watch == nil)

            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            try await vault.store(Samples.credential(1), for: Samples.alice)
            #expect(await watching.next() == .changed(.some([Samples.alice])))
            try await vault.store(Samples.credential(2), for: Samples.bob)
            #expect(await watching.next() == .changed(.some([Samples.bob])))
            try await vault.remove(Samples.bob)
            #expect(await watching.next() == .changed(.some([Samples.bob])))
            let state = await vault.state(knowing: [])
            #expect(state?.records == 2)
            let revision = try await client.revision
            #expect(state?.revision == revision)
            #expect(state?.turns.isEmpty == true)
        }
    }

    @Test("A turn has the name of its account where that is known, and its holder; the number of turns is bounded")
    func turns() async throws {
        try await withVault { vault, client in
            let outcome = try await vault.withTurn(for: Samples.alice, unless: Self.isNever) { _ in
                (await vault.state(knowing: [Samples.bob, Samples.alice]), await vault.state(knowing: [Samples.bob]))
            }
            guard case .taken(let states) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(states.0?.turns == [.init(name: Samples.alice, holder: "a replica")])
            #expect(states.1?.turns == [.init(name: nil, holder: "a replica")])
            #expect(await vault.state(knowing: [])?.turns.isEmpty == true)

            try await client.fill(prefix: RecordKeys.exchanges(prefix: prefix), count: 30, bytes: 10)
            let many = await vault.state(knowing: [])
            #expect(many?.turns.count == 20)
            #expect(many?.turnsLeftOut == 10)
        }
    }

    @Test("A listing with a limit opens no more records than that, and counts the others")
    func limit() async throws {
        try await withVault { vault, _ in
            let names = (0..<5).map { CredentialName(api: "x", account: "account \($0)") }
            for name in names { try await vault.store(Samples.credential(1), for: name) }
            let whole = try await vault.listing(limit: 5)
            #expect(whole == VaultListing(names: names))
            let part = try await vault.listing(limit: 2)
            #expect(part.names.count == 2)
            #expect(Set(part.names).isSubset(of: names))
            #expect(part.unlisted == 3)
        }
    }

    @Test("A server that is away is the reason why nothing else is told, but for the watch")
    func away() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let watching = Watching(vault)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            try cluster.servers[0].kill()
            _ = await watching.nextInterruption()
            let state = await vault.state(knowing: [])
            #expect(state?.failure?.isUnavailability == true)
            #expect(state?.records == nil)
            #expect(state?.watch?.interruption != nil)
            let reports = await vault.serverReports()
            guard case .fails = reports.first?.answer else {
                Issue.record("\(reports)")
                return
            }
        }
    }

    @Test("Servers answer one by one, with their versions")
    func servers() async throws {
        let cluster = try await EtcdCluster(count: 3)
        try cluster.servers[2].kill()
        try await cluster.withClient { client in
            let reports = await client.serverReports()
            #expect(reports.map(\.endpoint) == cluster.servers.map(\.endpoint))
            for report in reports.prefix(2) {
                guard case .answers(let version?, _, _) = report.answer else {
                    Issue.record("\(report)")
                    continue
                }
                #expect(version.hasPrefix("3."))
            }
            guard case .fails = reports[2].answer else {
                Issue.record("\(reports[2])")
                return
            }
        }
    }

    @Test("An examination makes nothing")
    func nothingIsMade() async throws {
        try await withVault { vault, client in
            #expect(try await vault.isBegun() == false)
            try await vault.checkWriting()
            #expect(try await count(client) == 0)
            try await vault.check()
            #expect(try await vault.isBegun())
            try await vault.checkWriting()
            #expect(try await count(client) == 1)
            let other = EtcdVault(client: client, prefix: prefix, key: .generate())
            await #expect(throws: VaultError.recordUnusable(record: prefix + "names", .otherKey)) {
                try await other.isBegun()
            }
        }
    }

    @Test("A user who may read and not write is told so")
    func readingAlone() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { client in
            try await EtcdVault(client: client, prefix: prefix, key: key).check()
            try await client.enableUsers("paraph", password: "a password")
        }
        let root = EtcdSettings.User(name: "root", password: Secret("root"))
        let user = EtcdSettings.User(name: "paraph", password: Secret("a password"))
        try await cluster.withClient(user: root) { try await $0.permit("paraph", prefix: prefix, "READ") }
        try await cluster.withClient(user: user) { client in
            let vault = EtcdVault(client: client, prefix: prefix, key: key)
            let isBegun = try await vault.isBegun()
            #expect(isBegun)
            let refusal = VaultError.etcdRefused(etcd: client.label, reason: "etcdserver: permission denied")
            await #expect(throws: refusal) { try await vault.checkWriting() }
        }
        try await cluster.withClient(user: root) { try await $0.permit("paraph", prefix: prefix) }
        try await cluster.withClient(user: user) { client in
            try await EtcdVault(client: client, prefix: prefix, key: key).checkWriting()
        }
    }

    private func count(_ client: EtcdClient) async throws -> Int {
        var range = EtcdRange(key: EtcdBytes(prefix))
        range.rangeEnd = EtcdBytes(EtcdVault.end(ofPrefix: range.key.data))
        return Int(try await client.send(range).count?.value ?? 0)
    }

    private func withVault(_ body: (EtcdVault, EtcdClient) async throws -> Void) async throws {
        try await EtcdServer.withSharedClient { client in
            try await body(EtcdVault(client: client, prefix: prefix, key: key, holder: "a replica"), client)
        }
    }
}
