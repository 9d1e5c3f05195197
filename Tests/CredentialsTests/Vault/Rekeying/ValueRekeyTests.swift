import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("Changing the key of a vault whose configuration has the key itself")
struct ValueRekeyTests {
    let temporary: TestDirectory
    let path: String
    let newKey: String
    let oldKey = VaultKey.generate()
    /// Opened before anything is changed, as by a running proxy.
    let vault: Vault

    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        newKey = temporary("keys/new.key")
        vault = try Vault(directory: path, key: oldKey)
        try vault.store(Samples.credential(1), for: Samples.alice)
        try vault.store(Samples.credential(2), for: Samples.bob)
    }

    private func expectBoth(in vault: Vault, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try vault.load(Samples.alice) == Samples.credential(1), sourceLocation: sourceLocation)
        #expect(try vault.load(Samples.bob) == Samples.credential(2), sourceLocation: sourceLocation)
    }

    @Test("The new key is made in the file, and opens everything")
    func rekeying() throws {
        let rekeying = try Vault(directory: path, key: oldKey).rekey(newKeyFile: newKey)
        #expect(rekeying.resealedCount == 2 && rekeying.isFinished)
        #expect(TestDirectory.mode(of: newKey) == 0o600)
        #expect(try TestDirectory.names(in: temporary("keys")) == ["new.key"])
        try expectBoth(in: Vault(directory: path, key: .file(path: newKey)))
        try expectBoth(in: Vault(directory: path, key: VaultKey.loadOrCreate(path: newKey)))
    }

    @Test("A key that is there already is taken")
    func existingKey() throws {
        let key = try VaultKey.loadOrCreate(path: newKey)
        _ = try vault.rekey(newKeyFile: newKey)
        try expectBoth(in: Vault(directory: path, key: key))
    }

    @Test("Processes with the old key, running or started later, go on with the new one")
    func following() throws {
        _ = try Vault(directory: path, key: oldKey).rekey(newKeyFile: newKey)
        // Stored before anything of the new key was met.
        let third = CredentialName(api: "twitter", account: "carol")
        try vault.store(Samples.credential(3), for: third)
        try expectBoth(in: vault)
        let started = try Vault(directory: path, key: oldKey)
        try expectBoth(in: started)
        try started.store(Samples.credential(4), for: CredentialName(api: "twitter", account: "dave"))
        let configured = try Vault(directory: path, key: .file(path: newKey))
        #expect(try configured.contents().errors.isEmpty)
        #expect(try configured.contents().credentials.count == 4)
        // They follow when that file's key is changed in its turn.
        #expect(try configured.rekey().resealedCount == 4)
        try expectBoth(in: vault)
        try vault.store(Samples.credential(5), for: third)
        #expect(try configured.load(third) == Samples.credential(5))
        #expect(try Vault(directory: path, key: .file(path: newKey)).contents().errors.isEmpty)
    }

    @Test("A process that has followed does not go back when the note that led it is removed")
    func note() throws {
        _ = try Vault(directory: path, key: oldKey).rekey(newKeyFile: newKey)
        try expectBoth(in: vault)
        for name in try TestDirectory.sealed(in: path) where name.hasPrefix(".successor-") {
            #expect(unlink(path + "/" + name) == 0)
        }
        try vault.store(Samples.credential(6), for: Samples.alice)
        #expect(try Vault(directory: path, key: .file(path: newKey)).load(Samples.alice) == Samples.credential(6))
    }

    @Test("A note that somebody without the key wrote or altered is an error, and leads nowhere")
    func forgedNote() throws {
        _ = try Vault(directory: path, key: oldKey).rekey(newKeyFile: newKey)
        let name = try #require(TestDirectory.sealed(in: path).first { $0.hasPrefix(".successor-") })
        let url = URL(filePath: path + "/" + name)
        let whole = try Data(contentsOf: url)
        #expect(whole.range(of: Data("new.key".utf8)) == nil)
        for index in whole.indices {
            var altered = whole
            altered[index] ^= 1
            try altered.write(to: url)
            #expect(throws: VaultError.damaged(path: url.path())) { try Vault(directory: path, key: oldKey) }
        }
    }

    @Test("It is an error that names the file when the new key's file is gone, and nothing is stored under the old key")
    func lostFile() throws {
        _ = try Vault(directory: path, key: oldKey).rekey(newKeyFile: newKey)
        #expect(unlink(newKey) == 0)
        let error = #expect(throws: VaultError.self) { try vault.store(Samples.credential(3), for: Samples.alice) }
        #expect(error?.description.hasPrefix("The vault key's file \(newKey) cannot be used") == true)
    }

    @Test("A re-key to one file is gone on with, not begun again with another")
    func otherFile() throws {
        _ = try vault.rekey(newKeyFile: newKey)
        let error = #expect(throws: VaultError.self) { try vault.rekey(newKeyFile: temporary("other.key")) }
        #expect(error?.description.hasPrefix("The vault cannot be re-keyed") == true)
        #expect(error?.description.contains(newKey) == true)
        #expect(!FileManager.default.fileExists(atPath: temporary("other.key")))
        #expect(try vault.rekey(newKeyFile: newKey).resealedCount == 0)
        try expectBoth(in: Vault(directory: path, key: .file(path: newKey)))
    }

    @Test("Without a file for the new key, or with one that has the present key, nothing is changed")
    func refusals() throws {
        #expect(throws: VaultError.self) { try vault.rekey() }
        let key = try VaultKey.loadOrCreate(path: newKey)
        let other = try Vault(directory: temporary("other"), key: key)
        let error = #expect(throws: VaultError.self) { try other.rekey(newKeyFile: newKey) }
        #expect(error?.description.hasPrefix("The vault cannot be re-keyed") == true)
        #expect(try TestDirectory.sealed(in: path).count == 2)
        #expect(try TestDirectory.sealed(in: temporary("other")).isEmpty)
    }
}
