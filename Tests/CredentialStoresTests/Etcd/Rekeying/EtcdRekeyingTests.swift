@testable import CredentialStores
import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Settings
import Testing
import TestSupport

@Suite(
    "Re-keying a vault in etcd while replicas serve",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdRekeyingTests {
    let old = VaultKey.generate()
    let new = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    private static func name(_ number: Int) -> CredentialName {
        CredentialName(api: "twitter", account: "\(10_000 + number)")
    }

    private func vault(_ client: EtcdClient, _ key: VaultKey) -> EtcdVault {
        EtcdVault(client: client, prefix: prefix, key: key)
    }

    private func store(_ count: Int, in vault: EtcdVault) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await vault.store(Samples.credential(UInt64(number)), for: Self.name(number)) }
            }
            try await group.waitForAll()
        }
    }

    private func expectAll(_ count: Int, in vault: EtcdVault) async throws {
        let contents = try await vault.contents()
        #expect(contents.errors == [])
        #expect(contents.credentials.map(\.name) == (0..<count).map(Self.name))
        let credentials = contents.credentials.map(\.credential)
        let expected = (0..<count).map { Samples.credential(UInt64($0)) }
        #expect(credentials == expected)
    }

    /// Returns the identifiers of the keys under which credentials and the key of names are sealed.
    private func identifiers(_ client: EtcdClient) async throws -> Set<[UInt8]> {
        let credentials = try await client.pairs(prefix: prefix + "credentials/")
        let names = try await client.pairs(prefix: prefix + "names")
        return Set(try (credentials + names).map { try SealedRecord($0.value).keyIdentifier })
    }

    @Test("No key is made for a re-key that is refused: another one is under way")
    func refusedBeforeMade() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = vault(client, old)
            try await store(1, in: vault)
            _ = try await vault.rekey { new }
            guard case .rekeyImpossible = await refusal(vault) else {
                Issue.record("It was not refused in this way.")
                return
            }
        }
    }

    @Test("No key is made for a re-key that is refused: etcd does not let it be written")
    func refusedByEtcd() async throws {
        let cluster = try await EtcdCluster(count: 1)
        try await cluster.withClient { try await store(1, in: vault($0, old)) }
        try await cluster.withClient { try await $0.enableUsers("paraph", password: "a password") }
        let root = EtcdSettings.User(name: "root", password: Secret("root"))
        try await cluster.withClient(user: root) { try await $0.permit("paraph", prefix: prefix, "READ") }
        let user = EtcdSettings.User(name: "paraph", password: Secret("a password"))
        try await cluster.withClient(user: user) { client in
            guard case .etcdRefused = await refusal(vault(client, old)) else {
                Issue.record("It was not refused in this way.")
                return
            }
        }
    }

    /// Returns the reason why a re-key to a key that is still to be made is refused.
    private func refusal(_ vault: EtcdVault) async -> VaultError? {
        do throws(VaultError) {
            _ = try await vault.rekey(isMade: false) { () throws(VaultError) in
                Issue.record("A key is made.")
                return .generate()
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("All records are sealed anew, and replicas with either key go on, old and new ones")
    func serving() async throws {
        try await EtcdServer.withSharedClient { client in
            let (first, second) = (vault(client, old), vault(client, old))
            try await store(100, in: first)
            #expect(try await second.load(Self.name(0)) == Samples.credential(0))
            try await first.store(Samples.credential(1), for: Samples.alice)
            _ = try await first.remove(Samples.alice)

            let rekeying = try #require(try await vault(client, old).rekey { new })
            #expect(rekeying.resealedCount == 100)
            #expect(rekeying.unfinished == [] && rekeying.foreign == [])
            #expect(try await identifiers(client) == [new.identifier])
            let (third, restarted) = (vault(client, new), vault(client, old))
            for vault in [first, second, third, restarted] { try await expectAll(100, in: vault) }
            for (number, vault) in [first, second, third, restarted].enumerated() {
                let credential = Samples.credential(UInt64(number))
                try await vault.store(credential, for: Samples.bob)
                for other in [first, second, third, restarted] {
                    #expect(try await other.load(Samples.bob) == credential)
                }
            }
            #expect(try await identifiers(client) == [new.identifier])
        }
    }

    @Test("A replica that has not heard of the new key writes nothing under the old one")
    func fence() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            _ = try await vault(client, old).rekey { new }
            // Not read before: nothing has told the replica.
            try await replica.store(Samples.credential(2), for: Samples.bob)
            #expect(try await identifiers(client) == [new.identifier])
            #expect(try await vault(client, new).load(Samples.bob) == Samples.credential(2))
        }
    }

    @Test("A replica that missed a whole re-key, and has the old key, neither reads nor writes")
    func missed() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            _ = try await vault(client, old).rekey { new }
            _ = try await vault(client, new).finishRekeying()
            let written = try await client.pairs(prefix: prefix)
            let error = VaultError.recordUnusable(record: prefix + "keys/next", .otherKey)
            await #expect(throws: error) { try await replica.store(Samples.credential(2), for: Samples.bob) }
            await #expect(throws: error) { try await replica.load(Samples.alice) }
            await #expect(throws: error) { try await replica.check() }
            #expect(try await client.pairs(prefix: prefix).map(\.value) == written.map(\.value))
        }
    }

    @Test("Turns go on while their records are sealed anew, and store under the new key")
    func turns() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            let isNever = { @Sendable (_: StoredCredential, _: Bool) in false }
            let outcome = try await replica.withTurn(for: Samples.alice, unless: isNever) { turn in
                _ = try? await vault(client, old).rekey { new }
                return try? await turn.change { stored in
                    stored == Samples.credential(1) ? .store(Samples.credential(2)) : .keep
                }
            }
            guard case .taken(true?) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try await vault(client, new).load(Samples.alice) == Samples.credential(2))
            #expect(try await identifiers(client) == [new.identifier])
        }
    }

    @Test("When it is finished the old key opens nothing, but those who are running with it go on")
    func finished() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            _ = try await vault(client, old).rekey { new }
            let watching = Watching(replica)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            let reason = await #expect(throws: VaultError.self) { try await vault(client, old).finishRekeying() }
            guard case .rekeyImpossible = reason else {
                Issue.record("\(String(describing: reason))")
                return
            }
            #expect(try await vault(client, new).finishRekeying() == VaultRekeying())
            #expect(try await vault(client, new).finishRekeying() == nil)

            await #expect(throws: VaultError.recordUnusable(record: prefix + "keys/next", .otherKey)) {
                try await vault(client, old).load(Samples.alice)
            }
            for (number, vault) in [replica, vault(client, new)].enumerated() {
                try await vault.store(Samples.credential(UInt64(number)), for: Samples.bob)
                #expect(try await replica.load(Samples.bob) == Samples.credential(UInt64(number)))
            }
            // The same holds for the next re-key, of which the first replica has never seen the configuration's key.
            let third = VaultKey.generate()
            _ = try await vault(client, new).rekey { third }
            #expect(try await replica.load(Samples.alice) == Samples.credential(1))
            try await replica.store(Samples.credential(3), for: Samples.bob)
            #expect(try await identifiers(client) == [third.identifier])
        }
    }

    @Test("A replica that is looked after follows without a request, and goes on with the old key when it is finished")
    func looks() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            _ = try await vault(client, old).rekey { new }
            try await replica.check()
            _ = try await vault(client, new).finishRekeying()
            #expect(try await replica.load(Samples.alice) == Samples.credential(1))
            try await replica.store(Samples.credential(2), for: Samples.alice)
            #expect(try await vault(client, new).load(Samples.alice) == Samples.credential(2))
        }
    }

    @Test("The old key does not come back, whoever puts its record back")
    func putBack() async throws {
        try await EtcdServer.withSharedClient { client in
            try await vault(client, old).store(Samples.credential(1), for: Samples.alice)
            _ = try await vault(client, old).rekey { new }
            let (earlier, record) = try #require(try await client.pairs(prefix: prefix + "keys/earlier").first)
            _ = try await vault(client, new).finishRekeying()
            try await client.put(record, at: earlier)
            let error = VaultError.recordUnusable(record: earlier, .putBack(generation: 2, writes: 4))
            await #expect(throws: error) { try await vault(client, new).load(Samples.alice) }
            try await client.delete(earlier)
            for _ in 1...2 { try await client.put(record, at: earlier) }
            let other = await #expect(throws: VaultError.self) { try await vault(client, new).load(Samples.alice) }
            guard case .recordUnusable(earlier, .ofEarlierKey) = other else {
                Issue.record("\(String(describing: other))")
                return
            }
        }
    }

    /// A re-key that is cancelled when the first records are sealed anew.
    private func rekeyBrokenOff(_ client: EtcdClient) -> Task<VaultRekeying?, any Error> {
        Task {
            try await vault(client, old).rekey(
                progress: { done, _ in if done > 0 { withUnsafeCurrentTask { $0?.cancel() } } },
                to: { new }
            )
        }
    }

    @Test("Broken off half-way, everything opens under either key; run again with the same key, it goes on")
    func brokenOff() async throws {
        try await EtcdServer.withSharedClient { client in
            let (replica, count) = (vault(client, old), 1_000)
            try await store(count, in: replica)
            let watching = Watching(replica)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            await #expect(throws: VaultError.self) { try await rekeyBrokenOff(client).value }
            #expect(try await identifiers(client) == [old.identifier, new.identifier])
            for vault in [replica, vault(client, old), vault(client, new)] { try await expectAll(count, in: vault) }

            let reason = await #expect(throws: VaultError.self) { try await vault(client, old).rekey { .generate() } }
            guard case .rekeyImpossible = reason else {
                Issue.record("\(String(describing: reason))")
                return
            }
            let again = try #require(try await vault(client, old).rekey { new })
            #expect(again.isFinished && 1..<count ~= again.resealedCount)
            #expect(try await identifiers(client) == [new.identifier])
            for vault in [replica, vault(client, old), vault(client, new)] { try await expectAll(count, in: vault) }
        }
    }

    @Test("Broken off half-way, it goes on as well by being finished")
    func finishedAfterBreak() async throws {
        try await EtcdServer.withSharedClient { client in
            let count = 500
            let replica = vault(client, old)
            try await store(count, in: replica)
            let watching = Watching(replica)
            defer { watching.stop() }
            #expect(await watching.nextChange() == .any)
            _ = await rekeyBrokenOff(client).result
            #expect(try await vault(client, new).finishRekeying()?.isFinished == true)
            #expect(try await identifiers(client) == [new.identifier])
            try await expectAll(count, in: vault(client, new))
        }
    }

    @Test("Two at once with one key do it together")
    func together() async throws {
        try await EtcdServer.withSharedClient { client in
            try await store(100, in: vault(client, old))
            let both = try await withThrowingTaskGroup(of: VaultRekeying?.self) { group in
                for _ in 0..<2 { group.addTask { try await vault(client, old).rekey { new } } }
                return try await group.reduce(into: [VaultRekeying?]()) { $0.append($1) }
            }
            let isFinished = both.allSatisfy { $0?.isFinished == true }
            #expect(isFinished)
            let resealedCount = both.compactMap { $0?.resealedCount }.reduce(0, +)
            #expect(resealedCount == 100)
            #expect(try await identifiers(client) == [new.identifier])
        }
    }

    @Test("One of two re-keys at once, to two keys, is refused before it changes anything")
    func apart() async throws {
        try await EtcdServer.withSharedClient { client in
            try await store(50, in: vault(client, old))
            let keys = [new, VaultKey.generate()]
            typealias Outcome = Result<VaultRekeying?, any Error>
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for key in keys {
                    let rekeying = Task<VaultRekeying?, any Error> { try await vault(client, old).rekey { key } }
                    group.addTask { await rekeying.result }
                }
                return await group.reduce(into: [Outcome]()) { $0.append($1) }
            }
            let refusals = outcomes.compactMap { outcome -> VaultError? in
                if case .failure(let error as VaultError) = outcome { error } else { nil }
            }
            guard refusals.count == 1, case .rekeyImpossible = refusals[0] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(try await identifiers(client).count == 1)
            try await expectAll(50, in: vault(client, old))
        }
    }

    @Test("A record that does not open keeps both keys, until it is repaired")
    func damaged() async throws {
        try await EtcdServer.withSharedClient { client in
            let replica = vault(client, old)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            let (key, record) = try #require(try await client.pairs(prefix: prefix + "credentials/").first)
            try await client.put(record, at: key)
            try await replica.store(Samples.credential(2), for: Samples.bob)
            let error = VaultError.recordUnusable(record: key, .putBack(generation: 1, writes: 2))
            let rekeying = try #require(try await vault(client, old).rekey { new })
            #expect(rekeying.resealedCount == 1)
            #expect(rekeying.unfinished == [error])
            let finishing = try #require(try await vault(client, new).finishRekeying())
            #expect(finishing.unfinished == [error])
            #expect(try await replica.load(Samples.bob) == Samples.credential(2))
            try await replica.store(Samples.credential(3), for: Samples.alice)
            #expect(try await vault(client, new).finishRekeying()?.isFinished == true)
            #expect(try await identifiers(client) == [new.identifier])
        }
    }

    @Test("Where nothing is stored yet no key is made, and the present key is none to change to")
    func nothing() async throws {
        try await EtcdServer.withSharedClient { client in
            let none = try await vault(client, old).rekey { () throws(VaultError) in
                Issue.record("a key was asked for")
                return new
            }
            #expect(none == nil)
            #expect(try await vault(client, old).finishRekeying() == nil)
            try await vault(client, old).store(Samples.credential(1), for: Samples.alice)
            let error = VaultError.rekeyImpossible(reason: "the file has the present key. Name another one.")
            await #expect(throws: error) { try await vault(client, old).rekey { old } }
            #expect(try await vault(client, old).finishRekeying() == nil)
        }
    }
}
