import CredentialStores
import Credentials
import Foundation
import OAuthSigning
import Testing
import TestSupport

@testable import paraph

@Suite("Copying credentials from one store into another", .generousLimit, .timed)
struct CredentialCopyingTests {
    private static let names = (0..<40).map { CredentialName(api: "twitter", account: "\(100 + $0)") }

    private let directory: TestDirectory
    private let source: DirectoryStore
    private let destination: DirectoryStore

    init() throws {
        directory = try TestDirectory()
        source = DirectoryStore(try Vault(directory: directory("source"), key: .generate()))
        destination = DirectoryStore(try Vault(directory: directory("destination"), key: .generate()))
    }

    private static func credential(_ number: Int) -> StoredCredential {
        StoredCredential(
            token: .oauth1(TokenCredentials(token: "token-\(number)", secret: Secret("a secret \(number)"))),
            attributes: ["screen_name": "ä & \(number)"],
            obtainedAt: UInt64(number)
        )
    }

    private func fill() async throws {
        for (number, name) in Self.names.enumerated() { try await source.store(Self.credential(number), for: name) }
    }

    /// Copies, and returns what became of each, in the order in which it was told.
    private func copy(
        replacing: Bool = false,
        into store: (any CredentialStore)? = nil
    ) async throws -> [(name: CredentialName, outcome: CopyOutcome)] {
        var told: [(name: CredentialName, outcome: CopyOutcome)] = []
        let copying = CredentialCopying(source: source, destination: store ?? destination, replaces: replacing)
        let nameless = try await copying.copyAll { told.append(($0, $1)) }
        #expect(nameless.isEmpty)
        return told
    }

    private func file(_ store: String, _ name: CredentialName) -> URL {
        URL(filePath: directory("\(store)/\(Vault.fileName(of: name))"))
    }

    private func spoil(_ store: String, _ name: CredentialName) throws {
        var bytes = try Data(contentsOf: file(store, name))
        bytes[bytes.endIndex - 1] ^= 1
        try bytes.write(to: file(store, name))
    }

    @Test("All arrive, in order; a second time they are there already; the source stays as it was")
    func everything() async throws {
        try await fill()
        let files = try Self.names.map { try Data(contentsOf: file("source", $0)) }
        var told = try await copy()
        #expect(told.map(\.name) == Self.names)
        let areCopied = told.allSatisfy { $0.outcome == .copied }
        #expect(areCopied)
        for (number, name) in Self.names.enumerated() {
            #expect(try await destination.load(name) == Self.credential(number))
        }
        told = try await copy()
        let arePresent = told.count == Self.names.count && told.allSatisfy { $0.outcome == .present }
        #expect(arePresent)
        let filesAfterwards = try Self.names.map { try Data(contentsOf: file("source", $0)) }
        #expect(filesAfterwards == files)
    }

    @Test("A copying that was broken off is finished by the next one")
    func brokenOff() async throws {
        try await fill()
        for number in 0..<17 { try await destination.store(Self.credential(number), for: Self.names[number]) }
        let expected = Self.names.indices.map { $0 < 17 ? CopyOutcome.present : .copied }
        #expect(try await copy().map(\.outcome) == expected)
    }

    @Test("What differs is kept, and gives way where that is wanted")
    func different() async throws {
        try await fill()
        try await destination.store(Self.credential(1_000), for: Self.names[3])
        #expect(try await copy()[3].outcome == .different(ours: 3, theirs: 1_000))
        #expect(try await destination.load(Self.names[3]) == Self.credential(1_000))
        #expect(try await copy(replacing: true)[3].outcome == .replaced)
        #expect(try await destination.load(Self.names[3]) == Self.credential(3))
    }

    @Test("Texts that are equal, but have other bytes, differ")
    func otherBytes() async throws {
        var (composed, decomposed) = (Self.credential(1), Self.credential(1))
        composed.attributes = ["screen_name": "\u{E9}"]
        decomposed.attributes = ["screen_name": "e\u{301}"]
        try #require(composed == decomposed)
        try await source.store(composed, for: Self.names[0])
        try await destination.store(decomposed, for: Self.names[0])
        #expect(try await copy().map(\.outcome) == [.different(ours: 1, theirs: 1)])
    }

    @Test("One of the source that cannot be opened does not hold up the others")
    func unreadableInSource() async throws {
        try await fill()
        try spoil("source", Self.names[5])
        let told = try await copy()
        #expect(told[5].outcome == .unreadable(.damaged(path: file("source", Self.names[5]).path)))
        let copied = told.filter { $0.outcome == .copied }
        #expect(copied.count == Self.names.count - 1)
        #expect(try await destination.load(Self.names[5]) == nil)
    }

    @Test("One of the destination that cannot be opened is kept, and gives way where that is wanted")
    func unreadableInDestination() async throws {
        try await fill()
        try await destination.store(Self.credential(1_000), for: Self.names[5])
        try spoil("destination", Self.names[5])
        let bytes = try Data(contentsOf: file("destination", Self.names[5]))
        #expect(
            try await copy()[5].outcome == .occupied(.damaged(path: file("destination", Self.names[5]).path))
        )
        #expect(try Data(contentsOf: file("destination", Self.names[5])) == bytes)
        #expect(try await copy(replacing: true)[5].outcome == .replaced)
        #expect(try await destination.load(Self.names[5]) == Self.credential(5))
    }

    @Test("What somebody else stores meanwhile stays, and is told", arguments: [MeddledStore.Moment.before, .after])
    func meddling(moment: MeddledStore.Moment) async throws {
        try await source.store(Self.credential(0), for: Self.names[0])
        let store = MeddledStore(store: destination, moment: moment, credential: Self.credential(1_000))
        #expect(try await copy(into: store).map(\.outcome) == [.changed])
        #expect(try await destination.load(Self.names[0]) == Self.credential(1_000))
    }

    @Test("A store that is of no use as a whole ends it, and is told once")
    func unusableStore() async throws {
        try await fill()
        try FileManager.default.removeItem(atPath: directory("destination"))
        let error = await #expect(throws: VaultError.self) { _ = try await copy() }
        guard case .directoryUnusable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
