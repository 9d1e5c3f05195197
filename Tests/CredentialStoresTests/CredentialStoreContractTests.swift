import CredentialSamples
import CredentialStores
import Credentials
import OAuthSigning
import Testing
import TestSupport

/// The contract that every store of credentials keeps to.
@Suite("The contract of stores of credentials", .generousLimit, .timed)
struct CredentialStoreContractTests {
    @Test("What was stored is loaded by whoever opens the store, in every part", arguments: StoreKind.here)
    func storing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            try await stores.another().store(Samples.credential(7), for: Samples.alice)
            #expect(try await stores.another().load(Samples.alice) == Samples.credential(7))
        }
    }

    @Test("A token, secret or attribute of any bytes is loaded as it was stored", arguments: StoreKind.here)
    func anyBytes(kind: StoreKind) async throws {
        let stored = StoredCredential(
            token: .oauth1(TokenCredentials(token: "", secret: Secret(bytes: [0, 0xFF, 0x0A]))),
            attributes: ["": "", "\0": "🜁"],
            obtainedAt: .max
        )
        try await kind.withStores { stores in
            let store = try await stores.another()
            for name in [("", ""), ("a", "\0/🜁"), ("a/", "b"), ("a", "/b")] {
                let name = CredentialName(api: name.0, account: name.1)
                try await store.store(stored, for: name)
                #expect(try await store.load(name) == stored)
            }
            #expect(try await store.listing().names.count == 4)
        }
    }

    @Test("Nothing is loaded where nothing was stored", arguments: StoreKind.here)
    func nothing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            #expect(try await store.load(Samples.alice) == nil)
            #expect(try await store.contents().credentials.isEmpty)
            #expect(try await store.listing() == VaultListing())
        }
    }

    @Test("Storing again replaces that credential alone", arguments: StoreKind.here)
    func replacing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            try await store.store(Samples.credential(1), for: Samples.alice)
            try await store.store(Samples.credential(2), for: Samples.bob)
            try await store.store(Samples.credential(3), for: Samples.alice)
            #expect(try await store.load(Samples.alice) == Samples.credential(3))
            #expect(try await store.load(Samples.bob) == Samples.credential(2))
        }
    }

    @Test("Removing removes that credential alone, and says whether there was one", arguments: StoreKind.here)
    func removing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            try await store.store(Samples.credential(1), for: Samples.alice)
            try await store.store(Samples.credential(2), for: Samples.bob)
            #expect(try await store.remove(Samples.alice))
            #expect(try await !store.remove(Samples.alice))
            #expect(try await store.load(Samples.alice) == nil)
            #expect(try await store.contents().credentials.map(\.name) == [Samples.bob])
            try await store.store(Samples.credential(3), for: Samples.alice)
            #expect(try await store.load(Samples.alice) == Samples.credential(3))
        }
    }

    @Test("The names are listed by API and account", arguments: StoreKind.here)
    func listing(kind: StoreKind) async throws {
        let names = [("b", "x"), ("a", "z"), ("a", "y")].map { CredentialName(api: $0.0, account: $0.1) }
        try await kind.withStores { stores in
            let store = try await stores.another()
            for name in names { try await store.store(Samples.credential(1), for: name) }
            #expect(try await store.listing().names == [names[2], names[1], names[0]])
            #expect(try await store.contents().credentials.map(\.name) == [names[2], names[1], names[0]])
        }
    }

    @Test("A change is decided in view of what is stored, and says whether it was made", arguments: StoreKind.here)
    func changing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            let (first, second) = (Samples.credential(1), Samples.credential(2))
            // Not within `#expect`: closures there are taken for each other (Swift 6.3).
            let replaceFirst = { @Sendable (stored: StoredCredential?) -> CredentialChange in
                stored == first ? .store(second) : .keep
            }
            #expect(try await !store.change(Samples.alice, replaceFirst))
            #expect(try await store.listing().names.isEmpty)
            try await store.store(first, for: Samples.alice)
            #expect(try await store.change(Samples.alice, replaceFirst))
            #expect(try await store.load(Samples.alice) == second)
            #expect(try await !store.change(Samples.alice, replaceFirst))
            #expect(try await store.load(Samples.alice) == second)
        }
    }

    @Test("A credential that is to be kept is not replaced", arguments: StoreKind.here)
    func keeping(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            let (first, second) = (Samples.credential(1), Samples.credential(2))
            let isAny = { @Sendable (_: StoredCredential) in true }
            let isSecond = { @Sendable (stored: StoredCredential) in stored == second }
            #expect(try await store.store(first, for: Samples.alice, unless: isAny))
            #expect(try await !store.store(second, for: Samples.alice, unless: isAny))
            #expect(try await store.load(Samples.alice) == first)
            #expect(try await store.store(second, for: Samples.alice, unless: isSecond))
            #expect(try await store.load(Samples.alice) == second)
        }
    }

    @Test("No change is lost where many depend on what is stored", arguments: StoreKind.here)
    func concurrency(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let opened = [try await stores.another(), try await stores.another()]
            try await opened[0].store(Samples.credential(0), for: Samples.alice)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<16 {
                    let store = opened[number % 2]
                    group.addTask {
                        try await store.change(Samples.alice) {
                            .store(Samples.credential(($0?.obtainedAt ?? 1_000) + 1))
                        }
                    }
                }
                for try await isChanged in group { #expect(isChanged) }
            }
            #expect(try await opened[0].load(Samples.alice) == Samples.credential(16))
        }
    }

    @Test("What is stored, replaced or removed by anybody is told", arguments: StoreKind.here)
    func watching(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let (watched, other) = (try await stores.another(), try await stores.another())
            let (changes, continuation) = AsyncStream.makeStream(of: CredentialChanges.self)
            let watching = Task { try await watched.watch { continuation.yield($0) } }
            defer { watching.cancel() }
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() == .any)
            for number in 1...2 {
                try await other.store(Samples.credential(UInt64(number)), for: Samples.alice)
                #expect(await iterator.next() == .some([Samples.alice]))
            }
            try await watched.store(Samples.credential(3), for: Samples.bob)
            #expect(await iterator.next() == .some([Samples.bob]))
            try await other.remove(Samples.alice)
            #expect(await iterator.next() == .some([Samples.alice]))
            watching.cancel()
            try await watching.value
        }
    }

    @Test("A credential too large to be stored is refused, and the one before is kept", arguments: StoreKind.here)
    func tooLarge(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            try await store.store(Samples.credential(1), for: Samples.alice)
            var large = Samples.credential(2)
            large.attributes["large"] = String(repeating: "x", count: 65_536)
            let tooLarge = large
            await #expect(throws: VaultError.self) { try await store.store(tooLarge, for: Samples.alice) }
            let name = CredentialName(api: "a", account: String(repeating: "x", count: 4_096))
            await #expect(throws: VaultError.nameTooLong(bytes: 4_097, limit: 4_096)) {
                try await store.store(Samples.credential(1), for: name)
            }
            #expect(try await store.load(Samples.alice) == Samples.credential(1))
        }
    }
}
