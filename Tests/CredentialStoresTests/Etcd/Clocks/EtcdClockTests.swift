@testable import CredentialStores
import Credentials
import CredentialSamples
import Foundation
import Testing
import TestSupport

@Suite(
    "The clocks of providers in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdClockTests {
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"
    let time = SharedClockRecord(.time(784_111_777, question: nil))
    let question = SharedClockRecord(.question, following: 7)

    private func record(_ client: EtcdClient) async throws -> (key: String, value: Data) {
        try #require(try await client.pairs(prefix: prefix + "clocks/").first)
    }

    @Test("A replica reads what another one writes; one that is overtaken writes nothing")
    func reading() async throws {
        try await EtcdServer.withSharedClient { client in
            let (one, other) = (vault(client, key), vault(client, key))
            let nothing = try await one.clock(of: "twitter")
            #expect(nothing.record == nil && nothing.revision == 0)
            let revision = try #require(try await one.write(time, of: "twitter", inPlaceOf: nothing))
            #expect(revision > nothing.storeRevision)
            #expect(try await other.write(question, of: "twitter", inPlaceOf: nothing) == nil)
            let reading = try await other.clock(of: "twitter")
            #expect(reading.record == time && reading.revision == revision && reading.announcement == revision)
            #expect(reading.storeRevision >= revision)
            let asked = try #require(try await other.write(question, of: "twitter", inPlaceOf: reading))
            #expect(try await one.write(time, of: "twitter", inPlaceOf: reading) == nil)
            let last = try await one.clock(of: "twitter")
            #expect(last.record == question && last.revision == asked && last.announcement == 7)
            #expect(try await one.clock(of: "another").record == nil)
        }
    }

    @Test("etcd sees neither the API's name nor what is told of it")
    func sealing() async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = vault(client, key)
            _ = try await vault.write(time, of: "twitter", inPlaceOf: try await vault.clock(of: "twitter"))
            let (name, value) = try await record(client)
            let text = Data(name.utf8) + value
            #expect(text.range(of: Data("twitter".utf8)) == nil)
            #expect(value.range(of: time.contents) == nil)
            #expect(try await vault.listing().names == [])
        }
    }

    @Test("A record of no use is as good as none, and is replaced by what is written next", arguments: [false, true])
    func unusable(isPutBack: Bool) async throws {
        try await EtcdServer.withSharedClient { client in
            let vault = vault(client, key)
            _ = try await vault.write(time, of: "twitter", inPlaceOf: try await vault.clock(of: "twitter"))
            let (name, value) = try await record(client)
            try await client.put(isPutBack ? value : Data("a word".utf8), at: name)
            let reading = try await vault.clock(of: "twitter")
            #expect(reading.record == nil && reading.revision > 0)
            #expect(try await vault.write(question, of: "twitter", inPlaceOf: reading) != nil)
            #expect(try await vault.clock(of: "twitter").record == question)
        }
    }

    @Test("A watcher of the vault is told of the clocks that others write, and of no credential")
    func changes() async throws {
        try await EtcdServer.withSharedClient { client in
            let (one, other) = (vault(client, key), vault(client, key))
            let watching = Watching(other)
            defer { watching.stop() }
            #expect(await watching.next() == .changed(.any))
            var changes = try await other.clockChanges(of: "twitter").makeAsyncIterator()
            _ = try await one.write(time, of: "another", inPlaceOf: try await one.clock(of: "another"))
            _ = try await one.write(time, of: "twitter", inPlaceOf: try await one.clock(of: "twitter"))
            #expect(await changes.next() != nil)
            #expect(try await other.clock(of: "twitter").record == time)
            try await one.store(Samples.credential(1), for: Samples.alice)
            #expect(await watching.next() == .changed(.some([Samples.alice])))
        }
    }

    @Test("A re-key removes what is sealed under the old key, and what is written then outlasts its end")
    func rekeying() async throws {
        try await EtcdServer.withSharedClient { client in
            let new = VaultKey.generate()
            let replica = vault(client, key)
            try await replica.store(Samples.credential(1), for: Samples.alice)
            for api in ["twitter", "another"] {
                _ = try await replica.write(time, of: api, inPlaceOf: try await replica.clock(of: api))
            }
            try await client.put(Data("a word".utf8), at: prefix + "clocks/0")
            let reading = try await replica.clock(of: "twitter")
            let rekeying = try #require(try await vault(client, key).rekey { new })
            #expect(rekeying.isFinished && rekeying.resealedCount == 1)
            #expect(try await client.pairs(prefix: prefix + "clocks/").isEmpty)
            // Not heard of yet: nothing is written under the old key.
            #expect(try await replica.write(time, of: "twitter", inPlaceOf: reading) == nil)
            let removed = try await replica.clock(of: "twitter")
            #expect(removed.record == nil)
            #expect(try await replica.write(time, of: "twitter", inPlaceOf: removed) != nil)
            #expect(try await vault(client, new).finishRekeying()?.isFinished == true)
            for vault in [replica, vault(client, new)] {
                #expect(try await vault.clock(of: "twitter").record == time)
            }
            #expect(try SealedRecord(try await record(client).value).keyIdentifier == new.identifier)
        }
    }

    @Test("A replica that has not heard of a re-key opens a record that is replaced during it")
    func otherKey() async throws {
        try await EtcdServer.withSharedClient { client in
            let new = VaultKey.generate()
            let replica = vault(client, key)
            try await replica.check()
            _ = try await vault(client, key).rekey { new }
            let other = vault(client, new)
            _ = try await other.write(time, of: "twitter", inPlaceOf: try await other.clock(of: "twitter"))
            #expect(try await replica.clock(of: "twitter").record == time)
        }
    }

    private func vault(_ client: EtcdClient, _ key: VaultKey) -> EtcdVault {
        EtcdVault(client: client, prefix: prefix, key: key)
    }
}
