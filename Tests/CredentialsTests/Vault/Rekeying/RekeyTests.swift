import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("Changing the key of a vault that has it in a file")
struct RekeyTests {
    let temporary: TestDirectory
    let path: String
    let keyPath: String
    let vault: Vault
    static let count = 70

    /// More credentials than are put in place at a time.
    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        keyPath = temporary("vault.key")
        vault = try Vault(directory: path, key: .file(path: keyPath))
        for number in 0..<Self.count { try vault.store(Samples.credential(UInt64(number)), for: Self.name(number)) }
    }

    static func name(_ number: Int) -> CredentialName { CredentialName(api: "twitter", account: "user\(number)") }

    private func key() throws -> String { try String(contentsOfFile: keyPath, encoding: .utf8) }

    private func expectAll(in vault: Vault, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for number in 0..<Self.count {
            let loaded = try vault.load(Self.name(number))
            #expect(loaded == Samples.credential(UInt64(number)), sourceLocation: sourceLocation)
        }
    }

    /// Opens the vault as a process does that is started now.
    private func reopened() throws -> Vault { try Vault(directory: path, key: .file(path: keyPath)) }

    @Test("Every credential is sealed under a new key, which takes the place of the old one")
    func rekeying() throws {
        let oldKey = try key()
        #expect(try vault.rekey() == result(resealed: Self.count))
        #expect(try key() != oldKey)
        #expect(TestDirectory.mode(of: keyPath) == 0o600)
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key"])
        #expect(try TestDirectory.sealed(in: path).count == Self.count)
        try expectAll(in: reopened())
        let contents = try Vault(directory: path, key: VaultKey(base64: Secret(oldKey))).contents()
        #expect(contents.credentials.isEmpty)
        #expect(contents.errors.allSatisfy { if case .otherKey = $0 { true } else { false } })
        #expect(contents.errors.count == Self.count)
    }

    @Test("A process with the vault open goes on loading and storing, under the new key")
    func following() throws {
        let other = try reopened()
        _ = try vault.rekey()
        try expectAll(in: other)
        let third = try reopened()
        _ = try other.rekey()
        // Stored before anything of the new key was met.
        try third.store(Samples.credential(1_000), for: Samples.alice)
        try vault.store(Samples.credential(1_001), for: Samples.bob)
        #expect(try reopened().load(Samples.alice) == Samples.credential(1_000))
        #expect(try reopened().load(Samples.bob) == Samples.credential(1_001))
        try expectAll(in: third)
        #expect(try reopened().contents().errors.isEmpty)
    }

    @Test("While both keys are in use everybody opens files of either, and stores under the next key")
    func halfway() throws {
        // What a re-key does first, and what one leaves that is killed then.
        _ = try VaultKey.loadOrCreate(path: keyPath + ".next")
        try vault.store(Samples.credential(1_000), for: Samples.alice)
        try expectAll(in: vault)
        #expect(try reopened().load(Samples.alice) == Samples.credential(1_000))
        try expectAll(in: reopened())
        // Alice's is of the next key already: the re-key goes on with the key that was there.
        #expect(try reopened().rekey() == result(resealed: Self.count))
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key"])
        #expect(try reopened().load(Samples.alice) == Samples.credential(1_000))
        try expectAll(in: reopened())
    }

    @Test("What a killed re-key left half-written does not get into the vault")
    func leftovers() throws {
        #expect(mkdir(path + "/.rekey", 0o700) == 0)
        try Data("PARAPH".utf8).write(to: URL(filePath: path + "/.rekey/twitter@user7.sealed"))
        try Data("PARAPH".utf8).write(to: URL(filePath: path + "/.rekey/twitter@nobody.sealed"))
        #expect(try vault.rekey() == result(resealed: Self.count))
        #expect(try TestDirectory.sealed(in: path).count == Self.count)
        try expectAll(in: reopened())
    }

    @Test("A damaged file of the old key stops nothing else; both keys stay until it is gone")
    func damaged() throws {
        let file = URL(filePath: path + "/twitter@user3.sealed")
        let whole = try Data(contentsOf: file)
        try whole.dropLast().write(to: file)
        let oldKey = try key()
        let damaged = VaultError.truncated(path: file.path())
        #expect(try vault.rekey() == result(resealed: Self.count - 1, unfinished: [damaged]))
        #expect(try vault.rekey() == result(resealed: 0, unfinished: [damaged]))
        #expect(try key() == oldKey)
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key", "vault.key.next"])
        #expect(throws: damaged) { try reopened().load(Self.name(3)) }

        // A copy from before the re-key is still good.
        try whole.write(to: file)
        try expectAll(in: reopened())
        #expect(try vault.rekey() == result(resealed: 1))
        #expect(try key() != oldKey)
        try expectAll(in: reopened())
    }

    @Test("A damaged file that is replaced or removed lets the re-key end")
    func remedies() throws {
        for name in ["twitter@user3.sealed", "twitter@user4.sealed"] {
            let url = URL(filePath: path + "/" + name)
            var bytes = try Data(contentsOf: url)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: url)
        }
        #expect(try vault.rekey().unfinished.count == 2)
        try vault.store(Samples.credential(3), for: Self.name(3))
        #expect(try vault.remove(Self.name(4)))
        #expect(try vault.rekey() == result(resealed: 0))
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key"])
    }

    @Test("Files that neither key opens are told, left as they are, and do not keep the old key in use")
    func foreign() throws {
        try Vault(directory: temporary("other"), key: .generate()).store(Samples.credential(1), for: Samples.alice)
        let file = path + "/twitter@alice.sealed"
        #expect(rename(temporary("other") + "/twitter@alice.sealed", file) == 0)
        let before = try Data(contentsOf: URL(filePath: file))
        try Data("no such thing".utf8).write(to: URL(filePath: path + "/a@b.sealed"))
        #expect(mkdir(path + "/directory.sealed", 0o700) == 0)
        let rekeying = try vault.rekey()
        #expect(
            rekeying
                == result(
                    resealed: Self.count,
                    foreign: [
                        .notSealed(path: path + "/a@b.sealed"), .notAFile(path: path + "/directory.sealed"),
                        .otherKey(path: file),
                    ]
                )
        )
        #expect(rekeying.isFinished)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        try expectAll(in: reopened())
    }

    @Test("A file under another's name keeps what it holds, and its name")
    func renamed() throws {
        let file = path + "/twitter@alice.sealed"
        #expect(rename(path + "/twitter@user5.sealed", file) == 0)
        #expect(try vault.rekey() == result(resealed: Self.count))
        #expect(throws: VaultError.otherCredential(path: file, holds: Self.name(5))) {
            try reopened().load(Samples.alice)
        }
        #expect(rename(file, path + "/twitter@user5.sealed") == 0)
        try expectAll(in: reopened())
    }

    @Test("An empty vault gets a new key too")
    func empty() throws {
        for number in 0..<Self.count { try vault.remove(Self.name(number)) }
        let oldKey = try key()
        #expect(try vault.rekey() == result(resealed: 0))
        #expect(try key() != oldKey)
    }

    @Test("One re-key runs at a time")
    func oneAtATime() throws {
        _ = try vault.rekey()
        let other = open(path + "/.rekey", O_RDONLY | O_DIRECTORY)
        #expect(flock(other, LOCK_EX) == 0)
        let key = try key()
        #expect(throws: VaultError.rekeyRunning(directory: path)) { try vault.rekey() }
        #expect(try self.key() == key)
        // Processes that other tests have started since then have it open too.
        #expect(flock(other, LOCK_UN) == 0)
        close(other)
        #expect(try vault.rekey() == result(resealed: Self.count))
    }

    @Test("A key's file that is a link is not replaced")
    func link() throws {
        #expect(rename(keyPath, temporary("real.key")) == 0)
        #expect(symlink("real.key", keyPath) == 0)
        let error = #expect(throws: VaultError.self) { try vault.rekey() }
        #expect(error?.description.hasPrefix("The vault cannot be re-keyed") == true)
        #expect(error?.description.contains(keyPath) == true)
        #expect(try TestDirectory.names(in: temporary.path) == ["real.key", "vault", "vault.key"])
        try expectAll(in: reopened())
        #expect(try Vault(directory: path, key: .file(path: temporary("real.key"))).rekey().resealedCount == Self.count)
        try expectAll(in: reopened())
    }

    @Test("A file for the new key is refused where the key has its file")
    func superfluousFile() throws {
        let error = #expect(throws: VaultError.self) { try vault.rekey(newKeyFile: temporary("new.key")) }
        #expect(error?.description.hasPrefix("The vault cannot be re-keyed") == true)
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key"])
    }

    @Test("A file of version 1 is of the new key afterwards, and of its version")
    func version1() throws {
        // The version is the eighth byte; that such a file opens under its own key is shown elsewhere.
        let temporary = try TestDirectory()
        let vault = try VaultFormatTests.vault(in: temporary)
        let before = try vault.contents().credentials.map(\.credential)
        let newKey = temporary("new.key")
        #expect(try vault.rekey(newKeyFile: newKey) == result(resealed: 3))
        let after = try Vault(directory: temporary.path, key: .file(path: newKey)).contents()
        #expect(after.credentials.map(\.credential) == before)
        #expect(try Data(contentsOf: URL(filePath: temporary("twitter@one.sealed")))[7] == 1)
    }

    private func result(
        resealed: Int,
        unfinished: [VaultError] = [],
        foreign: [VaultError] = []
    ) -> VaultRekeying {
        var result = VaultRekeying()
        result.resealedCount = resealed
        result.unfinished = unfinished
        result.foreign = foreign
        return result
    }
}
