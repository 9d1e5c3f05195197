import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("A vault file of no use")
struct VaultFileTests {
    let temporary: TestDirectory
    let path: String
    let file: String
    let key = VaultKey.generate()
    let vault: Vault

    /// A vault with two credentials; the tests spoil alice's.
    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        file = path + "/twitter@alice.sealed"
        vault = try Vault(directory: path, key: key)
        try vault.store(Samples.credential(1), for: Samples.alice)
        try vault.store(Samples.credential(2), for: Samples.bob)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: file)) }

    /// Alice's file gives an error that names it; bob's is as good as ever; and storing, or removing, is the remedy.
    @discardableResult
    private func expectUseless(_ comment: Comment? = nil) throws -> VaultError {
        let error = try #require(throws: VaultError.self, comment) { try vault.load(Samples.alice) }
        #expect(error.description.contains(file), comment)
        #expect(try vault.load(Samples.bob) == Samples.credential(2), comment)
        #expect(try vault.contents().credentials.map(\.name) == [Samples.bob], comment)
        #expect(try vault.contents().errors == [error], comment)
        return error
    }

    @Test("A file with any byte altered is refused, and the other credential is not touched")
    func alteration() throws {
        let whole = try bytes()
        for index in whole.indices {
            var altered = whole
            altered[index] ^= 0x01
            try altered.write(to: URL(filePath: file))
            try expectUseless("byte \(index)")
        }
        try whole.write(to: URL(filePath: file))
        #expect(try vault.load(Samples.alice) == Samples.credential(1))
    }

    @Test("However early it ends, the file is refused and the other credential is not touched")
    func truncation() throws {
        let whole = try bytes()
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(filePath: file))
            let error = try expectUseless("\(count) bytes")
            #expect(error == (count < 8 ? .notSealed(path: file) : .truncated(path: file)))
        }
    }

    @Test("Bytes after the end are refused")
    func surplus() throws {
        try (try bytes() + [0]).write(to: URL(filePath: file))
        #expect(try expectUseless() == .damaged(path: file))
    }

    @Test("A file sealed under another key is told from a damaged one")
    func foreign() throws {
        let other = temporary("other")
        try Vault(directory: other, key: .generate()).store(Samples.credential(3), for: Samples.alice)
        try Data(contentsOf: URL(filePath: other + "/twitter@alice.sealed")).write(to: URL(filePath: file))
        #expect(try expectUseless() == .otherKey(path: file))
    }

    @Test("A file under another's name is refused, and its own name told")
    func renamed() throws {
        #expect(rename(path + "/twitter@bob.sealed", file) == 0)
        let error = VaultError.otherCredential(path: file, holds: Samples.bob)
        #expect(throws: error) { try vault.load(Samples.alice) }
        #expect(error.description.contains("twitter/bob"))
        #expect(try vault.load(Samples.bob) == nil)
        #expect(try vault.contents().credentials.isEmpty)
        #expect(try vault.contents().errors == [error])
    }

    @Test("A file of another kind and one of a later version are told apart")
    func unknown() throws {
        try Data("something else altogether".utf8).write(to: URL(filePath: file))
        #expect(try expectUseless() == .notSealed(path: file))
        try vault.store(Samples.credential(1), for: Samples.alice)
        var later = try bytes()
        later[7] = 5
        try later.write(to: URL(filePath: file))
        #expect(try expectUseless() == .unknownVersion(path: file, version: 5))
    }

    @Test("A file larger than any of ours is refused unread", arguments: [65_537, 1 << 40])
    func oversized(count: off_t) throws {
        #expect(truncate(file, count) == 0)
        #expect(try expectUseless() == .oversized(path: file, limit: 65_536))
    }

    @Test(
        "Links, directories and pipes in a file's place are neither followed nor waited for",
        arguments: [
            "link to a credential", "link out of the vault", "dangling link", "directory", "pipe",
        ]
    )
    func notAFile(kind: String) throws {
        let outside = temporary("outside")
        try bytes().write(to: URL(filePath: outside))
        #expect(unlink(file) == 0)
        switch kind {
        case "link to a credential": #expect(symlink("twitter@bob.sealed", file) == 0)
        case "link out of the vault": #expect(symlink("../outside", file) == 0)
        case "dangling link": #expect(symlink("nowhere", file) == 0)
        case "directory": #expect(mkdir(file, 0o700) == 0)
        default: #expect(mkfifo(file, 0o600) == 0)
        }
        #expect(try expectUseless() == .notAFile(path: file))
    }

    @Test("Storing replaces a link itself, and leaves alone what it leads to")
    func storingOverLink() throws {
        let outside = temporary("outside")
        try Data("untouched".utf8).write(to: URL(filePath: outside))
        #expect(unlink(file) == 0)
        #expect(symlink("../outside", file) == 0)
        try vault.store(Samples.credential(4), for: Samples.alice)
        #expect(try Data(contentsOf: URL(filePath: outside)) == Data("untouched".utf8))
        #expect(try vault.load(Samples.alice) == Samples.credential(4))
    }

    @Test("A file that cannot be replaced is an error that names it, and leaves no temporary file")
    func storingOverDirectory() throws {
        #expect(unlink(file) == 0)
        #expect(mkdir(file, 0o700) == 0)
        let error = #expect(throws: VaultError.self) { try vault.store(Samples.credential(4), for: Samples.alice) }
        #expect(error?.description.hasPrefix("The vault file \(file) cannot be written") == true)
        #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed", "twitter@bob.sealed"])
    }

    @Test("A damaged file is replaced by storing, and goes by removing")
    func remedies() throws {
        try Data().write(to: URL(filePath: file))
        try vault.store(Samples.credential(5), for: Samples.alice)
        #expect(try vault.load(Samples.alice) == Samples.credential(5))
        try Data().write(to: URL(filePath: file))
        try vault.remove(Samples.alice)
        #expect(try vault.load(Samples.alice) == nil)
    }

    @Test("A file of the same names sealed by hand in another's header does not open")
    func transplanted() throws {
        // Bob's sealed part under alice's header: what is authenticated is the whole header.
        let alice = try bytes()
        let bob = try Data(contentsOf: URL(filePath: path + "/twitter@bob.sealed"))
        let aliceHeader = 8 + 8 + 2 + 7 + 2 + 5
        let bobHeader = 8 + 8 + 2 + 7 + 2 + 3
        try (alice.prefix(aliceHeader) + bob.dropFirst(bobHeader)).write(to: URL(filePath: file))
        #expect(try expectUseless() == .damaged(path: file))
    }
}
