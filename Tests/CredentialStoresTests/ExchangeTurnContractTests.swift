import CredentialSamples
import CredentialStores
import Credentials
import Foundation
import NIOCore
import OAuthSigning
import Synchronization
import Testing
import TestSupport

/// The contract that every store keeps to when exchanges take turns.
@Suite("The contract of turns at exchanging", .generousLimit, .timed)
struct ExchangeTurnContractTests {
    private static let isNever = { @Sendable (_: StoredCredential, _: Bool) in false }

    @Test("One of many has the turn for an account at a time, and all get theirs", arguments: StoreKind.here)
    func oneAtATime(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let opened = [try await stores.another(), try await stores.another()]
            let running = RunningCount()
            let exchange = { @Sendable (turn: any ExchangeTurn) in
                running.begin()
                defer { running.end() }
                for _ in 0..<20 { await Task.yield() }
                let next = (turn.stored?.obtainedAt ?? 0) + 1
                return (try? await turn.change { _ in .store(Samples.credential(next)) }) ?? false
            }
            let outcomes = try await withThrowingTaskGroup(of: TurnOutcome<Bool>.self) { group in
                for index in 0..<12 {
                    let store = opened[index % 2]
                    group.addTask {
                        try await store.withTurn(for: Samples.alice, unless: Self.isNever, exchange)
                    }
                }
                var outcomes: [TurnOutcome<Bool>] = []
                for try await outcome in group { outcomes.append(outcome) }
                return outcomes
            }
            for case .spared(let stored, _) in outcomes { Issue.record("spared by \(stored)") }
            #expect(running.most == 1)
            // Each has seen what the one before has stored.
            #expect(try await opened[0].load(Samples.alice)?.obtainedAt == 12)
        }
    }

    @Test("Turns of different accounts do not wait for each other", arguments: StoreKind.here)
    func apart(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            let outer = try await store.withTurn(for: Samples.alice, unless: Self.isNever) { _ in
                try? await store.withTurn(for: Samples.bob, unless: Self.isNever) { _ in true }
            }
            guard case .taken(.taken(true)?) = outer else {
                Issue.record("\(outer)")
                return
            }
        }
    }

    @Test("A waiter is spared by what is stored meanwhile, before the turn is over", arguments: StoreKind.here)
    func sparing(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            let other = try await stores.another()
            let watch = Task { try? await other.watch { _ in } }
            defer { watch.cancel() }
            let second = Samples.credential(2)
            let isSparing = { @Sendable (stored: StoredCredential, _: Bool) in stored == second }
            try await store.store(Samples.credential(1), for: Samples.alice)
            let outcome = try await store.withTurn(for: Samples.alice, unless: Self.isNever) { turn in
                async let spared = other.withTurn(for: Samples.alice, unless: isSparing) { _ in }
                _ = try? await turn.change { _ in .store(Samples.credential(2)) }
                // While this one has its turn still.
                return try? await spared
            }
            guard case .taken(.spared(let stored, _)?) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(stored == Samples.credential(2))
        }
    }

    @Test("What spares the exchange from the beginning costs no turn", arguments: StoreKind.here)
    func sparedAtOnce(kind: StoreKind) async throws {
        try await kind.withStores { stores in
            let store = try await stores.another()
            try await store.store(Samples.credential(1), for: Samples.alice)
            let isAny = { @Sendable (_: StoredCredential, isNew: Bool) in !isNew }
            let outcome = try await store.withTurn(for: Samples.alice, unless: isAny) { _ in Issue.record("a turn") }
            guard case .spared(Samples.credential(1), isNew: false) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }
}

/// The number of exchanges that run.
private final class RunningCount: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}
