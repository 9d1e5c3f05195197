@testable import CredentialStores
import Credentials
import Foundation
import Testing
import TestSupport

@Suite(
    "The local CA that replicas share in etcd",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdAuthorityTests {
    let key = VaultKey.generate()
    let prefix = "test/\(UUID())/"

    private func vault(_ client: EtcdClient, _ key: VaultKey? = nil) -> EtcdVault {
        EtcdVault(client: client, prefix: prefix, key: key ?? self.key)
    }

    @Test("One of many replicas that store one at once succeeds, and all have that one")
    func first() async throws {
        try await EtcdServer.withSharedClient { (client) async throws -> Void in
            #expect(try await vault(client).authority() == nil)
            let stored = try await withThrowingTaskGroup(of: (UInt8, Bool).self) { group in
                for number in 0..<UInt8(20) {
                    let vault = vault(client)
                    group.addTask {
                        let isStored = try await vault.storeAuthority(Data([number]), inPlaceOf: nil)
                        return (number, isStored)
                    }
                }
                return try await group.reduce(into: [UInt8]()) { if $1.1 { $0.append($1.0) } }
            }
            #expect(stored.count == 1)
            #expect(try await vault(client).authority() == Data(stored))
        }
    }

    @Test("Only a replica that knows the present one replaces it")
    func replaced() async throws {
        try await EtcdServer.withSharedClient { (client) async throws -> Void in
            let vault = vault(client)
            let (one, two, three) = (Data("one".utf8), Data("two".utf8), Data("three".utf8))
            #expect(try await !vault.storeAuthority(two, inPlaceOf: one))
            #expect(try await vault.authority() == nil)
            #expect(try await vault.storeAuthority(one, inPlaceOf: nil))
            #expect(try await vault.storeAuthority(two, inPlaceOf: one))
            #expect(try await !vault.storeAuthority(three, inPlaceOf: one))
            #expect(try await !vault.storeAuthority(three, inPlaceOf: nil))
            // As whoever asks again that has not heard the answer.
            #expect(try await vault.storeAuthority(two, inPlaceOf: one))
            #expect(try await vault.authority() == two)
        }
    }

    @Test("etcd has it sealed, no credential is listed for it, and an older one put back is told")
    func sealed() async throws {
        try await EtcdServer.withSharedClient { (client) async throws -> Void in
            let vault = vault(client)
            let (one, two) = (Data("one secret".utf8), Data("two secret".utf8))
            _ = try await vault.storeAuthority(one, inPlaceOf: nil)
            let before = try #require(try await client.pairs(prefix: prefix + "authority").first)
            _ = try await vault.storeAuthority(two, inPlaceOf: one)
            for pair in try await client.pairs(prefix: prefix) {
                #expect(pair.value.firstRange(of: Data("secret".utf8)) == nil)
            }
            #expect(try await vault.listing().names == [])
            try await client.put(before.value, at: before.key)
            let error = await #expect(throws: VaultError.self) { try await vault.authority() }
            guard case .recordUnusable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("It is sealed anew when the vault is re-keyed, and the old key opens it no more")
    func rekeyed() async throws {
        try await EtcdServer.withSharedClient { (client) async throws -> Void in
            let new = VaultKey.generate()
            let contents = Data("secret".utf8)
            _ = try await vault(client).storeAuthority(contents, inPlaceOf: nil)
            let rekeying = try #require(try await vault(client).rekey { new })
            #expect(rekeying.resealedCount == 0)
            for key in [key, new] { #expect(try await vault(client, key).authority() == contents) }
            _ = try #require(try await vault(client, new).finishRekeying())
            #expect(try await vault(client, new).authority() == contents)
            let record = try #require(try await client.pairs(prefix: prefix + "authority").first)
            #expect(try SealedRecord(record.value).keyIdentifier == new.identifier)
        }
    }
}
