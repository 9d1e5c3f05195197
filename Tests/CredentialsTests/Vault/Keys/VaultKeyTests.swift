import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

@Suite("The vault's key", .generousLimit, .timed)
struct VaultKeyTests {
    let temporary: TestDirectory

    init() throws { temporary = try TestDirectory() }

    /// Indicates whether two keys are one: what is sealed under the first opens under the second.
    private func isSame(_ one: VaultKey, _ other: VaultKey) throws -> Bool {
        let path = temporary("vault-\(UUID())")
        try Vault(directory: path, key: one).store(Samples.credential(1), for: Samples.alice)
        return try Vault(directory: path, key: other).contents().credentials.map(\.name) == [Samples.alice]
    }

    private func write(_ text: String, mode: mode_t = 0o600) throws -> String {
        let path = temporary("key-\(UUID())")
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(chmod(path, mode) == 0)
        return path
    }

    @Test("At first start the file is made, 0600, with 32 bytes in base64, and from then on read")
    func firstStart() throws {
        let path = temporary("state/deep/vault.key")
        let made = try VaultKey.loadOrCreate(path: path)
        #expect(TestDirectory.mode(of: path) == 0o600)
        #expect(TestDirectory.mode(of: temporary("state/deep")) == 0o700)
        #expect(try TestDirectory.names(in: temporary("state/deep")) == ["vault.key"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(Data(base64Encoded: text)?.count == 32)
        #expect(try isSame(made, VaultKey.loadOrCreate(path: path)))
        #expect(try isSame(made, VaultKey(base64: Secret(text))))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("Keys are different each time")
    func different() throws {
        #expect(try !isSame(.generate(), .generate()))
        let first = try VaultKey.loadOrCreate(path: temporary("one"))
        #expect(try !isSame(first, VaultKey.loadOrCreate(path: temporary("two"))))
    }

    @Test("Many at once get the key of the one that came first")
    func race() async throws {
        let path = temporary("vault.key")
        let keys = try await withThrowingTaskGroup(of: VaultKey.self) { group in
            for _ in 0..<16 { group.addTask { try VaultKey.loadOrCreate(path: path) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for key in keys { #expect(try isSame(keys[0], key)) }
        #expect(try TestDirectory.names(in: temporary.path).filter { !$0.hasPrefix("vault-") } == ["vault.key"])
    }

    @Test(
        "A file that others may read is refused, and the remedy named",
        arguments: [
            0o640, 0o604, 0o644, 0o660, 0o610, 0o666,
        ] as [mode_t]
    )
    func accessible(mode: mode_t) throws {
        let path = try write(Data(count: 32).base64EncodedString(), mode: mode)
        let error = #expect(throws: VaultError.self) { try VaultKey.loadOrCreate(path: path) }
        guard case .keyFileAccessible(path, _) = error else { throw try #require(error) }
        #expect(error?.description.hasSuffix("chmod 600 \(path)") == true)
        #expect(chmod(path, 0o400) == 0)
        #expect(try isSame(VaultKey.loadOrCreate(path: path), VaultKey.loadOrCreate(path: path)))
    }

    @Test("White space around the key is no mistake", arguments: ["%\n", "%\r\n", " \t%  \n\n"])
    func whiteSpace(pattern: String) throws {
        let text = pattern.replacing("%", with: Data(repeating: 7, count: 32).base64EncodedString())
        let plain = try VaultKey(base64: Secret(Data(repeating: 7, count: 32).base64EncodedString()))
        #expect(try isSame(plain, VaultKey(base64: Secret(text))))
        #expect(try isSame(plain, VaultKey.loadOrCreate(path: write(text))))
    }

    @Test(
        "Anything else than 32 bytes in base64 is refused, and never replaced",
        arguments: [
            "", "\n", "not base64!", Data(count: 31).base64EncodedString(), Data(count: 33).base64EncodedString(),
            String(repeating: "00", count: 32), Data(count: 32).base64EncodedString() + " x",
            String(repeating: "A", count: 5_000),
        ]
    )
    func malformed(text: String) throws {
        let path = try write(text)
        #expect(throws: VaultError.keyMalformed(path: path)) { try VaultKey.loadOrCreate(path: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(throws: VaultError.keyMalformed(path: nil)) { try VaultKey(base64: Secret(text)) }
        if text.utf8.count > 8 { #expect(!VaultError.keyMalformed(path: path).description.contains(text)) }
    }

    @Test("A link to the key is followed, as secrets are mounted; one that leads nowhere is an error")
    func links() throws {
        let path = try write(Data(count: 32).base64EncodedString())
        #expect(symlink(path, temporary("link")) == 0)
        #expect(try isSame(VaultKey.loadOrCreate(path: path), VaultKey.loadOrCreate(path: temporary("link"))))
        #expect(symlink("nowhere", temporary("dangling")) == 0)
        let error = #expect(throws: VaultError.self) { try VaultKey.loadOrCreate(path: temporary("dangling")) }
        #expect(error?.description.hasPrefix("The vault key's file \(temporary("dangling")) cannot be used") == true)
        #expect(access(temporary("nowhere"), F_OK) != 0)
    }

    @Test("A path that can be no file's is an error that names it", arguments: ["", "/", "d/", "d", "f/key"])
    func unusable(name: String) throws {
        #expect(mkdir(temporary("d"), 0o700) == 0)
        try Data().write(to: URL(filePath: temporary("f")))
        let path = name.isEmpty ? "" : temporary(name)
        let error = #expect(throws: VaultError.self) { try VaultKey.loadOrCreate(path: path) }
        #expect(error?.description.hasPrefix("The vault key's file \(path) cannot be used") == true)
    }

    @Test("A key shows itself in no description")
    func descriptions() throws {
        let text = Data(repeating: 7, count: 32).base64EncodedString()
        let key = try VaultKey(base64: Secret(text))
        var dumped = ""
        dump(key, to: &dumped)
        for shown in ["\(key)", String(reflecting: key), dumped] {
            #expect(shown.contains("<vault key>"))
            #expect(!shown.contains(text) && !shown.contains("7, 7"))
        }
    }
}
