import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Testing
import TestSupport

/// Each exit test runs in a process of its own, on a vault that it shares with this one.
@Suite("The vault and processes", .generousLimit, .timed)
struct VaultProcessTests {
    let temporary: TestDirectory
    let path: String
    let keyPath: String

    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        keyPath = temporary("vault.key")
    }

    private func vault() throws -> Vault {
        try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath))
    }

    @Test("A process killed at any moment of its writing loses nothing that was stored before")
    func killing() async throws {
        try vault().store(Samples.credential(0), for: Samples.alice)
        try vault().store(Samples.credential(0), for: Samples.bob)
        let journal = temporary("journal")
        for _ in 0..<48 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, keyPath = keyPath as String, journal = journal as String] in
                try storeUntilKilled(path: path, keyPath: keyPath, journal: journal)
            }
            // A new process opens the vault: the credential left alone is untouched, and the one that was written is
            // whole and not older than what the killed process was told to be stored.
            let vault = try vault()
            #expect(try vault.load(Samples.bob) == Samples.credential(0))
            let written = try #require(try vault.load(Samples.alice))
            #expect(written == Samples.credential(written.obtainedAt))
            let reported = try #require(UInt64(String(contentsOfFile: journal, encoding: .utf8)))
            #expect(written.obtainedAt + 10_000_000 >= reported)
            #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed", "twitter@bob.sealed"])
        }
    }

    @Test("Two processes that store at the same time leave whole credentials and nothing else")
    func twoProcesses() async throws {
        let vault = try vault()
        async let other: Void? = #expect(processExitsWith: .success) {
            [path = path as String, keyPath = keyPath as String] in
            let vault = try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath))
            for number in 0..<200 as Range<UInt64> {
                try vault.store(Samples.credential(number), for: Samples.alice)
                try vault.store(Samples.credential(number), for: Samples.bob)
                _ = try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath))
            }
        }.map { _ in }
        for number in 1_000..<1_200 as Range<UInt64> {
            try vault.store(Samples.credential(number), for: Samples.alice)
            let loaded = try #require(try vault.load(Samples.alice))
            #expect(loaded == Samples.credential(loaded.obtainedAt))
        }
        await other
        for name in [Samples.alice, Samples.bob] {
            let loaded = try #require(try vault.load(name))
            #expect(loaded == Samples.credential(loaded.obtainedAt))
        }
        #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed", "twitter@bob.sealed"])
    }

    @Test("Files are 0600 and directories 0700, whatever the process's mask")
    func modes() async throws {
        for mask in [0, 0o077, 0o177] as [mode_t] {
            let root = temporary("mask-\(mask)")
            await #expect(processExitsWith: .success) { [root = root as String, mask = mask as mode_t] in
                umask(mask & 0o077)
                let key = try VaultKey.loadOrCreate(path: root + "/vault.key")
                let vault = try Vault(directory: root + "/vault", key: key)
                umask(mask)
                try vault.store(Samples.credential(1), for: Samples.alice)
            }
            #expect(TestDirectory.mode(of: root) == 0o700)
            #expect(TestDirectory.mode(of: root + "/vault.key") == 0o600)
            #expect(TestDirectory.mode(of: root + "/vault") == 0o700)
            #expect(TestDirectory.mode(of: root + "/vault/twitter@alice.sealed") == 0o600)
        }
    }

    @Test("When the disk takes no more, storing is an error, the credential before is kept, and no part is left")
    func fullDisk() async throws {
        try vault().store(Samples.credential(1), for: Samples.alice)
        await #expect(processExitsWith: .success) { [path = path as String, keyPath = keyPath as String] in
            let vault = try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath))
            // A limit on the size of files is met in the middle of one, as a full disk is.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 40, rlim_max: 40)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = #expect(throws: VaultError.self) {
                try vault.store(Samples.credential(2), for: Samples.alice)
            }
            #expect(error?.description.contains("cannot be written") == true)
            #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed"])
            #expect(try vault.load(Samples.alice) == Samples.credential(1))
        }
        #expect(try vault().load(Samples.alice) == Samples.credential(1))
    }

    @Test(
        "What a killed process left half-written is no credential, and goes when the vault is opened",
        arguments: [
            0, 1, 40, 200,
        ]
    )
    func leftovers(count: Int) throws {
        try vault().store(Samples.credential(1), for: Samples.alice)
        let vault = try vault()
        let whole = try Data(contentsOf: URL(filePath: path + "/twitter@alice.sealed"))
        try whole.prefix(count).write(to: URL(filePath: path + "/.temporary/1"))
        #expect(try vault.contents().credentials.map(\.name) == [Samples.alice])
        #expect(try vault.contents().errors.isEmpty)
        #expect(try self.vault().load(Samples.alice) == Samples.credential(1))
        #expect(try TestDirectory.sealed(in: path) == ["twitter@alice.sealed"])
    }

    @Test("Opening the vault leaves alone what a living process is writing, and what is not the vault's")
    func livingWriter() throws {
        _ = try vault()
        for name in [".temporary/1", "notes.txt", ".hidden"] {
            try Data().write(to: URL(filePath: path + "/" + name))
        }
        // What whoever stores holds meanwhile.
        let writer = open(path, O_RDONLY | O_DIRECTORY)
        #expect(flock(writer, LOCK_SH) == 0)
        _ = try vault()
        #expect(try TestDirectory.names(in: path + "/.temporary") == ["1"])
        // Processes that other tests have started since then have it open too.
        #expect(flock(writer, LOCK_UN) == 0)
        close(writer)
        #expect(try vault().contents().errors.isEmpty)
        #expect(try TestDirectory.names(in: path) == [".hidden", ".temporary", "notes.txt"])
        #expect(try TestDirectory.names(in: path + "/.temporary").isEmpty)
    }
}

/// Stores one number after another, each reported in the journal once it is stored, until another thread kills the
/// process at a moment of chance.
private func storeUntilKilled(path: String, keyPath: String, journal: String) throws {
    let vault = try Vault(directory: path, key: VaultKey.loadOrCreate(path: keyPath))
    let file = open(journal, O_WRONLY | O_CREAT, 0o600)
    var number = try vault.load(Samples.alice)?.obtainedAt ?? 0
    let killer = Thread {
        usleep(.random(in: 0..<(1 << Int.random(in: 4..<16))))
        kill(getpid(), SIGKILL)
    }
    func report() {
        // One write, of a length that never shrinks: the journal is never half a number.
        let text = String(10_000_000 + number)
        pwrite(file, text, text.utf8.count, 0)
    }
    report()
    killer.start()
    while true {
        number += 1
        try vault.store(Samples.credential(number), for: Samples.alice)
        report()
    }
}
