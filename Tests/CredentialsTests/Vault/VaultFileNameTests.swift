import Credentials
import CredentialSamples
import Foundation
import Testing
import TestSupport

@Suite("Names of vault files")
struct VaultFileNameTests {
    static let hostile = [
        "", ".", "..", "../x", "../../etc/passwd", "/", "/etc/passwd", "a/b", "a\0b", "\0", "a@b", "@", "%", "%2F", "~",
        "-rf", " ", "\n", "a.sealed", ".temporary-1", "A", "a", "é", "e\u{301}", "🔑", "名前", "\u{202E}", "\\", "*", "'",
        String(repeating: "x", count: 200), String(repeating: "x", count: 201), String(repeating: "🔑", count: 500),
    ]

    @Test("Every pair of hostile names is stored in the directory under a name of its own")
    func hostileNames() throws {
        let temporary = try TestDirectory()
        let path = temporary("vault")
        let vault = try Vault(directory: path, key: .generate())
        var expected: [CredentialName: StoredCredential] = [:]
        for (index, name) in Self.hostile.enumerated() {
            for pair in [(name, "x"), ("x", name), (name, name)] {
                let credential = Samples.credential(UInt64(index))
                try vault.store(credential, for: CredentialName(api: pair.0, account: pair.1))
                expected[CredentialName(api: pair.0, account: pair.1)] = credential
            }
        }
        #expect(expected.count == 3 * Self.hostile.count)
        for (name, credential) in expected {
            #expect(try vault.load(name) == credential)
            // A name is nil only where it is too long for a file's.
            let fileName = Vault.fileName(of: name)
            #expect(Vault.name(ofFile: fileName) == (fileName.hasPrefix("~") ? nil : name))
        }
        #expect(Set(try vault.listing().names) == Set(expected.keys))
        #expect(Set(try vault.contents().credentials.map(\.name)) == Set(expected.keys))

        let files = try TestDirectory.sealed(in: path)
        #expect(files.count == expected.count)
        #expect(try TestDirectory.names(in: temporary.path) == ["vault"])
        for file in files {
            #expect(file.utf8.count <= 120)
            #expect(file.wholeMatch(of: /[~@%A-Za-z0-9_-][~@%A-Za-z0-9_.-]*\.sealed/) != nil, "\(file)")
        }
    }

    @Test(
        "Pairs that read alike when they are joined do not share a file",
        arguments: [
            [("a", "b@c"), ("a@b", "c")],
            [("a@", "b"), ("a", "@b")],
            [("", "a@b"), ("a", "b"), ("a@b", "")],
            [("a%40", "b"), ("a@", "b")],
            [("e\u{301}", "x"), ("\u{E9}", "x")],
        ]
    )
    func collisions(pairs: [(String, String)]) throws {
        let temporary = try TestDirectory()
        let vault = try Vault(directory: temporary("vault"), key: .generate())
        for (index, pair) in pairs.enumerated() {
            try vault.store(
                Samples.credential(UInt64(index)),
                for: CredentialName(api: pair.0, account: pair.1)
            )
        }
        for (index, pair) in pairs.enumerated() {
            let loaded = try vault.load(CredentialName(api: pair.0, account: pair.1))
            #expect(loaded == Samples.credential(UInt64(index)))
        }
    }

    @Test(
        "Plain names are legible",
        arguments: [
            ("twitter", "alice", "twitter@alice.sealed"),
            ("api.example.com", "Team_A-1", "api.example.com@Team_A-1.sealed"),
            ("x", "a b", "x@a%20b.sealed"),
            ("..", "", "%2E.@.sealed"),
        ]
    )
    func legible(api: String, account: String, file: String) throws {
        let temporary = try TestDirectory()
        let path = temporary("vault")
        try Vault(directory: path, key: .generate())
            .store(Samples.credential(1), for: CredentialName(api: api, account: account))
        #expect(try TestDirectory.sealed(in: path) == [file])
        #expect(Vault.name(ofFile: file) == CredentialName(api: api, account: account))
    }

    @Test(
        "No other file's name is taken for a credential's",
        arguments: [
            "", ".sealed", "a.sealed", "a@b", "a@b.sealed~", "a@b@c.sealed", "a@%62.sealed", "a@%4.sealed",
            "a@%4g.sealed", "a@%+1.sealed", "a@%e9.sealed", "a@%E9.sealed", "a@b c.sealed", "~a@b.sealed",
            "a@.b.sealed", "a/b@c.sealed", ".temporary-1", ".temporary", ".rekey", "~00.sealed", "a@%", "a@%.sealed",
        ]
    )
    func otherNames(name: String) {
        #expect(Vault.name(ofFile: name) == nil)
    }

    @Test("Names of absurd length are refused in storing, and hold nothing")
    func absurdLength() throws {
        let temporary = try TestDirectory()
        let vault = try Vault(directory: temporary("vault"), key: .generate())
        let name = CredentialName(api: String(repeating: "x", count: 4_096), account: "y")
        #expect(throws: VaultError.nameTooLong(bytes: 4_097, limit: 4_096)) {
            try vault.store(Samples.credential(1), for: name)
        }
        #expect(try vault.load(name) == nil)
    }
}
