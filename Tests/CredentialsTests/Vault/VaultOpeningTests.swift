import Credentials
import CredentialSamples
import Foundation
import Testing
import TestSupport

@Suite("Opening a vault, and seeing what is in it")
struct VaultOpeningTests {
    let temporary: TestDirectory
    let path: String
    let keyPath: String

    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        keyPath = temporary("vault.key")
    }

    private var source: VaultKeySource { .file(path: keyPath) }

    @Test("The key's file is made with the vault")
    func making() throws {
        try Vault(directory: path, key: source).store(Samples.credential(1), for: Samples.alice)
        #expect(TestDirectory.mode(of: keyPath) == 0o600)
        #expect(try Vault(directory: path, key: source).load(Samples.alice) == Samples.credential(1))
        #expect(
            try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath)).load(Samples.alice)
                == Samples.credential(1)
        )
    }

    @Test("A vault whose key's file is gone gets no new key, and the files that matter are named")
    func lostKey() throws {
        try Vault(directory: path, key: source).store(Samples.credential(1), for: Samples.alice)
        #expect(rename(keyPath, temporary("elsewhere")) == 0)
        let expected = VaultError.keyLost(path: keyPath, directory: path)
        #expect(throws: expected) { try Vault(directory: path, key: source) }
        #expect(throws: expected) { try Vault(existingDirectory: path, key: source) }
        #expect(expected.description.contains(keyPath) && expected.description.contains(path))
        #expect(access(keyPath, F_OK) != 0)
        #expect(rename(temporary("elsewhere"), keyPath) == 0)
        #expect(try Vault(directory: path, key: source).load(Samples.alice) == Samples.credential(1))
    }

    @Test("While the key's file is gone nothing is stored, and what is there is loaded")
    func keyGoneMeanwhile() throws {
        let vault = try Vault(directory: path, key: source)
        try vault.store(Samples.credential(1), for: Samples.alice)
        #expect(rename(keyPath, temporary("elsewhere")) == 0)
        let error = #expect(throws: VaultError.self) { try vault.store(Samples.credential(2), for: Samples.alice) }
        #expect(error?.description.hasPrefix("The vault key's file \(keyPath) cannot be used") == true)
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
        #expect(rename(temporary("elsewhere"), keyPath) == 0)
        try vault.store(Samples.credential(2), for: Samples.alice)
        #expect(try vault.load(Samples.alice) == Samples.credential(2))
    }

    @Test("Another key put in the file's place by hand is followed")
    func replacedByHand() throws {
        let vault = try Vault(directory: path, key: source)
        _ = try VaultKey.loadOrCreate(path: temporary("other.key"))
        #expect(rename(temporary("other.key"), keyPath) == 0)
        try vault.store(Samples.credential(1), for: Samples.alice)
        #expect(try Vault(directory: path, key: source).load(Samples.alice) == Samples.credential(1))
    }

    @Test("Where there is no vault, opening an existing one makes nothing", arguments: [false, true])
    func notExisting(hasDirectory: Bool) throws {
        if hasDirectory { #expect(mkdir(path, 0o700) == 0) }
        let before = try TestDirectory.names(in: temporary.path)
        let vault = try Vault(existingDirectory: path, key: source)
        #expect(vault == nil)
        #expect(try TestDirectory.names(in: temporary.path) == before)
        if hasDirectory { #expect(try TestDirectory.names(in: path).isEmpty) }
    }

    @Test("An existing vault is opened as it is")
    func existing() throws {
        try Vault(directory: path, key: source).store(Samples.credential(1), for: Samples.alice)
        let vault = try #require(try Vault(existingDirectory: path, key: source))
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
        #expect(try vault.remove(Samples.alice))
        #expect(try !vault.remove(Samples.alice))
        #expect(try vault.load(Samples.alice) == nil)
    }

    @Test("A credential is listed by its file's name, whether or not the file is of use; digests have to be opened")
    func listing() throws {
        let vault = try Vault(directory: path, key: source)
        #expect(try vault.listing() == VaultListing())
        let long = CredentialName(api: "a", account: String(repeating: "x", count: 300))
        for name in [Samples.bob, Samples.alice, long] { try vault.store(Samples.credential(1), for: name) }
        try Data().write(to: URL(filePath: path + "/twitter@alice.sealed"))
        #expect(try vault.listing() == VaultListing(names: [long, Samples.alice, Samples.bob]))

        let digest = path + "/" + Vault.fileName(of: long)
        try Data().write(to: URL(filePath: digest))
        #expect(
            try vault.listing()
                == VaultListing(names: [Samples.alice, Samples.bob], errors: [.notSealed(path: digest)])
        )
    }
}
