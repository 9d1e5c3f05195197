import Credentials
import CredentialSamples
import Foundation
import Testing
import TestSupport

@testable import CredentialStores

@Suite(
    "Vaults in one etcd whose prefixes begin alike",
    .enabled(if: EtcdServer.isInstalled, "needs etcd (Debian: etcd-server)"),
    .generousLimit,
    .timed
)
struct EtcdPrefixTests {
    /// The inner prefixes: between the keys that the outer vault watches, before them, and with no end of a part.
    static let inner = ["d/", "b/", "d"]

    let outer = "test/\(UUID())/"

    @Test("Neither has, tells or re-keys what is the other's", arguments: inner)
    func apart(inner: String) async throws {
        try await EtcdServer.withSharedClient { client in
            let vaults = [outer, outer + inner].map { EtcdVault(client: client, prefix: $0, key: .generate()) }
            let watchings = vaults.map { Watching($0) }
            for watching in watchings { #expect(await watching.next() == .changed(.any)) }
            try await vaults[1].store(Samples.credential(2), for: Samples.bob)
            try await vaults[0].store(Samples.credential(1), for: Samples.alice)
            try await vaults[1].store(Samples.credential(3), for: Samples.bob)
            // The others' came before, or between.
            #expect(await watchings[0].changed(until: Samples.alice) == [Samples.alice])
            #expect(await watchings[1].changed(until: Samples.bob) == [Samples.bob])

            for vault in vaults {
                let rekeying = try await vault.rekey { .generate() }
                #expect(rekeying?.resealedCount == 1)
            }
            for (vault, name) in zip(vaults, [Samples.alice, Samples.bob]) {
                let contents = try await vault.contents()
                #expect(contents.errors == [])
                #expect(contents.credentials.map(\.name) == [name])
                #expect(await vault.state(knowing: [])?.records == 1)
            }
            for watching in watchings { watching.stop() }
        }
    }
}
