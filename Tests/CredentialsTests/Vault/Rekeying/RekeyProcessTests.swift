import Credentials
import CredentialSamples
import Foundation
import OAuthSigning
import Synchronization
import Testing
import TestSupport

/// A vault that is re-keyed while others write to it, and by processes that are killed.
@Suite("Re-keying and processes", .generousLimit, .timed)
struct RekeyProcessTests {
    private static let stillCount = 40
    private static let writerCount = 2
    /// Each writer's: enough that what is put back to something older is seen before it is written again.
    private static let accountCount = 20

    let temporary: TestDirectory
    let path: String
    let keyPath: String
    let vault: Vault

    init() throws {
        temporary = try TestDirectory()
        path = temporary("vault")
        keyPath = temporary("vault.key")
        vault = try Vault(directory: path, key: .file(path: keyPath))
        for number in 0..<Self.stillCount {
            try vault.store(Samples.credential(UInt64(number)), for: Self.still(number))
        }
    }

    private static func still(_ number: Int) -> CredentialName { CredentialName(api: "still", account: "\(number)") }
    private static func written(_ number: Int) -> CredentialName {
        CredentialName(api: "written", account: "\(number)")
    }
    private static let writtenCount = writerCount * accountCount

    /// Threads that store ever higher numbers for one of their accounts after the other, and remember the last that
    /// they were told is stored.
    private final class Writers: Sendable {
        private struct State {
            var stored = [UInt64](repeating: 0, count: RekeyProcessTests.writtenCount)
            var runningCount = RekeyProcessTests.writerCount
            var isStopped = false
            var error: VaultError?
            var stoppedWaiter: CheckedContinuation<Void, any Error>?
        }
        private let state = Mutex(State())

        var stored: [UInt64] { state.withLock { $0.stored } }

        /// Something is stored for each account when they begin.
        init(_ vault: Vault) throws {
            for account in 0..<RekeyProcessTests.writtenCount { try store(1, for: account, in: vault) }
            for writer in 0..<RekeyProcessTests.writerCount { Thread { self.run(writer, vault) }.start() }
        }

        private func store(_ number: UInt64, for account: Int, in vault: Vault) throws(VaultError) {
            try vault.store(Samples.credential(number), for: RekeyProcessTests.written(account))
            state.withLock { $0.stored[account] = number }
        }

        private func run(_ writer: Int, _ vault: Vault) {
            var number: UInt64 = 1
            do throws(VaultError) {
                while !state.withLock({ $0.isStopped }) {
                    number += 1
                    for account in 0..<RekeyProcessTests.accountCount {
                        try store(number, for: writer * RekeyProcessTests.accountCount + account, in: vault)
                    }
                }
            } catch {
                state.withLock { $0.error = error }
            }
            state.withLock { state in
                state.runningCount -= 1
                if state.runningCount == 0 { end(&state) }
            }
        }

        /// - Throws: The error that kept one from storing.
        func stop() async throws {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.isStopped = true
                    state.stoppedWaiter = continuation
                    if state.runningCount == 0 { end(&state) }
                }
            }
        }

        private func end(_ state: inout State) {
            if let error = state.error {
                state.stoppedWaiter?.resume(throwing: error)
            } else {
                state.stoppedWaiter?.resume()
            }
            state.stoppedWaiter = nil
        }
    }

    /// Nothing that was stored before is lost, or replaced by something older.
    private func expectNothingLost(_ vault: Vault, atLeast stored: [UInt64]) throws {
        for number in 0..<Self.stillCount {
            #expect(try vault.load(Self.still(number)) == Samples.credential(UInt64(number)))
        }
        for (account, number) in stored.enumerated() {
            let loaded = try #require(try vault.load(Self.written(account)))
            #expect(loaded == Samples.credential(loaded.obtainedAt))
            #expect(loaded.obtainedAt >= number)
        }
    }

    @Test("While others store without pause, the key is changed again and again, and nothing is lost or grows older")
    func writing() async throws {
        let writers = try Writers(vault)
        // Another value, as in another process.
        let other = try Vault(directory: path, key: .file(path: keyPath))
        for _ in 0..<4 {
            let rekeying = try other.rekey()
            #expect(rekeying.isFinished && rekeying.foreign.isEmpty)
            #expect(rekeying.resealedCount >= Self.stillCount)
            try expectNothingLost(other, atLeast: writers.stored)
        }
        try await writers.stop()
        let fresh = try Vault(directory: path, key: .file(path: keyPath))
        try expectNothingLost(fresh, atLeast: writers.stored)
        #expect(try fresh.contents().errors.isEmpty)
    }

    @Test("A re-key killed at any moment, while others store, loses nothing, and is gone on with")
    func killing() async throws {
        let writers = try Writers(vault)
        for _ in 0..<16 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, keyPath = keyPath as String] in
                try rekeyUntilKilled(path: path, keyPath: keyPath)
            }
            // What is stored by now must be there, for whoever starts now and for whoever runs.
            let stored = writers.stored
            try expectNothingLost(Vault(directory: path, key: .file(path: keyPath)), atLeast: stored)
            try expectNothingLost(vault, atLeast: stored)
        }
        try await writers.stop()
        #expect(try Vault(directory: path, key: .file(path: keyPath)).rekey().isFinished)
        let fresh = try Vault(directory: path, key: .file(path: keyPath))
        try expectNothingLost(fresh, atLeast: writers.stored)
        #expect(try fresh.contents().errors.isEmpty)
        #expect(try TestDirectory.names(in: temporary.path) == ["vault", "vault.key"])
        #expect(try TestDirectory.sealed(in: path).count == Self.stillCount + Self.writtenCount)
    }

    @Test("A move to a key's file killed at any moment loses nothing, and is gone on with")
    func killingMove() async throws {
        let newKey = temporary("new.key")
        for _ in 0..<6 {
            let root = temporary("move")
            let key = Data(repeating: 7, count: 32).base64EncodedString()
            let old = try VaultKey(base64: Secret(key))
            let running = try Vault(directory: root, key: old)
            for number in 0..<20 { try running.store(Samples.credential(UInt64(number)), for: Self.still(number)) }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [root = root as String, key = key as String, newKey = newKey as String] in
                let vault = try Vault(directory: root, key: VaultKey(base64: Secret(key)))
                killAtRandom()
                while true { _ = try vault.rekey(newKeyFile: newKey) }
            }
            try running.store(Samples.credential(1_000), for: Self.still(0))
            for vault in [running, try Vault(directory: root, key: old)] {
                #expect(try vault.contents().errors.isEmpty)
                #expect(try vault.contents().credentials.count == 20)
                #expect(try vault.load(Self.still(0)) == Samples.credential(1_000))
            }
            #expect(try running.rekey(newKeyFile: newKey).isFinished)
            let moved = try Vault(directory: root, key: .file(path: newKey)).contents()
            #expect(moved.errors.isEmpty && moved.credentials.count == 20)
            try FileManager.default.removeItem(atPath: root)
            try FileManager.default.removeItem(atPath: newKey)
        }
    }
}

private func rekeyUntilKilled(path: String, keyPath: String) throws {
    let vault = try Vault(directory: path, key: .file(path: keyPath))
    killAtRandom()
    while true { _ = try vault.rekey() }
}

/// Another thread kills the process at a moment of chance.
private func killAtRandom() {
    Thread {
        usleep(.random(in: 0..<(1 << Int.random(in: 4..<18))))
        kill(getpid(), SIGKILL)
    }.start()
}
