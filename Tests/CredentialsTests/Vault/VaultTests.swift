import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("The vault", .generousLimit, .timed)
struct VaultTests {
    let temporary: TestDirectory
    let path: String
    let key = VaultKey.generate()

    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
    }

    @Test("What was stored is loaded again after a restart, in every part")
    func storing() throws {
        let stored = Samples.credential(7)
        try Vault(directory: path, key: key).store(stored, for: Samples.alice)
        #expect(try Vault(directory: path, key: key).load(Samples.alice) == stored)
    }

    @Test("A token, secret or attribute of any bytes is loaded as it was stored")
    func anyBytes() throws {
        let stored = StoredCredential(
            token: .oauth1(TokenCredentials(token: "", secret: Secret(bytes: [0, 0xFF, 0x0A]))),
            attributes: ["": "", "\0": "🜁"],
            obtainedAt: .max
        )
        let vault = try Vault(directory: path, key: key)
        try vault.store(stored, for: Samples.alice)
        #expect(try vault.load(Samples.alice) == stored)
    }

    @Test("Nothing is loaded where nothing was stored, and nothing is made by asking")
    func nothing() throws {
        let vault = try Vault(directory: path, key: key)
        #expect(try vault.load(Samples.alice) == nil)
        #expect(try vault.contents().credentials.isEmpty)
        #expect(try TestDirectory.sealed(in: path).isEmpty)
    }

    @Test("Storing again replaces that credential alone")
    func replacing() throws {
        let vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        try vault.store(Samples.credential(2), for: Samples.bob)
        try vault.store(Samples.credential(3), for: Samples.alice)
        #expect(try vault.load(Samples.alice) == Samples.credential(3))
        #expect(try vault.load(Samples.bob) == Samples.credential(2))
        #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed", "twitter@bob.sealed"])
    }

    @Test("Removing removes that credential alone, and is no mistake where there is none")
    func removing() throws {
        let vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        try vault.store(Samples.credential(2), for: Samples.bob)
        try vault.remove(Samples.alice)
        try vault.remove(Samples.alice)
        #expect(try vault.load(Samples.alice) == nil)
        #expect(try vault.contents().credentials.map(\.name) == [Samples.bob])
    }

    @Test("The names are listed by API and account")
    func listing() throws {
        let vault = try Vault(directory: path, key: key)
        let names = [("b", "x"), ("a", "z"), ("a", "y")].map { CredentialName(api: $0.0, account: $0.1) }
        for name in names { try vault.store(Samples.credential(1), for: name) }
        #expect(try vault.contents().credentials.map(\.name) == [names[2], names[1], names[0]])
    }

    @Test("No part of a credential is legible in its file, and no two files of the same credential are alike")
    func sealing() throws {
        let vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        let file = path + "/twitter@alice.sealed"
        let first = try Data(contentsOf: URL(filePath: file))
        for part in ["token-1", "a secret 1", "user_id", "screen_name"] {
            #expect(first.range(of: Data(part.utf8)) == nil, "\(part) is legible")
        }
        try vault.store(Samples.credential(1), for: Samples.alice)
        #expect(try Data(contentsOf: URL(filePath: file)).suffix(60) != first.suffix(60))
    }

    @Test(
        "A directory open to group or others is refused, and the remedy named",
        arguments: [
            0o710, 0o740, 0o720, 0o701, 0o704, 0o702, 0o777,
        ] as [mode_t]
    )
    func accessibleDirectory(mode: mode_t) throws {
        let vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        #expect(chmod(path, mode) == 0)
        let expected = VaultError.directoryAccessible(path: path, mode: mode)
        #expect(throws: expected) { try Vault(directory: path, key: key) }
        #expect(throws: expected) { try vault.load(Samples.alice) }
        #expect(throws: expected) { try vault.store(Samples.credential(2), for: Samples.alice) }
        #expect(throws: expected) { try vault.remove(Samples.alice) }
        #expect(throws: expected) { try vault.contents() }
        #expect("\(expected)".hasSuffix("chmod 700 \(path)"))
        #expect(chmod(path, 0o700) == 0)
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
    }

    @Test("Missing directories are made, closed to others")
    func makingDirectories() throws {
        let deep = temporary("one/two/three/")
        let vault = try Vault(directory: deep, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
        for path in ["one", "one/two", "one/two/three"] {
            #expect(TestDirectory.mode(of: temporary(path)) == 0o700)
        }
    }

    @Test("A path where no directory can be is an error that names it")
    func unusableDirectory() throws {
        let file = temporary("file")
        try Data().write(to: URL(filePath: file))
        for path in [file, file + "/vault"] {
            let error = #expect(throws: VaultError.self) { try Vault(directory: path, key: key) }
            #expect(error?.description.hasPrefix("The vault directory \(path) cannot be used") == true)
        }
    }

    @Test("A credential too large to be stored is refused, and the one before is kept")
    func tooLarge() throws {
        let vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        var large = Samples.credential(2)
        large.attributes["large"] = String(repeating: "x", count: 65_536)
        let error = #expect(throws: VaultError.self) { try vault.store(large, for: Samples.alice) }
        #expect(error?.description.hasPrefix("The credential has") == true)
        large.attributes["large"] = String(repeating: "x", count: 65_000)
        try vault.store(large, for: Samples.bob)
        #expect(try vault.load(Samples.bob) == large)
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
    }

    @Test("A change is decided in view of what is stored, and says whether it was made")
    func changing() throws {
        let vault = try Vault(directory: path, key: key)
        let (first, second) = (Samples.credential(1), Samples.credential(2))
        let replaceFirst = { (stored: StoredCredential?) -> CredentialChange in
            stored == first ? .store(second) : .keep
        }
        #expect(try !vault.change(Samples.alice, replaceFirst))
        #expect(try vault.contents().credentials.isEmpty)
        try vault.store(first, for: Samples.alice)
        #expect(try vault.change(Samples.alice, replaceFirst))
        #expect(try vault.load(Samples.alice) == second)
        #expect(try !vault.change(Samples.alice, replaceFirst))
        #expect(try vault.load(Samples.alice) == second)
    }

    @Test("What is removed while it is being replaced stays removed")
    func removingWhileReplacing() throws {
        let vault = try Vault(directory: path, key: key)
        for number in 0..<50 {
            try vault.store(Samples.credential(1), for: Samples.alice)
            let isRemoved = DispatchSemaphore(value: 0)
            _ = try vault.change(Samples.alice) { _ in
                Thread {
                    _ = try? vault.remove(Samples.alice)
                    isRemoved.signal()
                }
                .start()
                return .store(Samples.credential(2))
            }
            isRemoved.wait()
            #expect(try vault.load(Samples.alice) == nil, "\(number)")
        }
    }

    @Test("Many tasks storing at once leave whole credentials and nothing else")
    func concurrency() async throws {
        let vault = try Vault(directory: path, key: key)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask { [path, key] in
                    try vault.store(
                        Samples.credential(UInt64(number)),
                        for: number.isMultiple(of: 2) ? Samples.alice : Samples.bob
                    )
                    _ = try Vault(directory: path, key: key)
                }
            }
            try await group.waitForAll()
        }
        for name in [Samples.alice, Samples.bob] {
            let credential = try #require(try vault.load(name))
            #expect(credential == Samples.credential(credential.obtainedAt))
        }
        #expect(try TestDirectory.sealed(in: path).count == 2)
    }
}
