import Credentials

/// The watching of a store, with what it tells.
final class Watching {
    enum Told: Equatable {
        case changed(CredentialChanges)
        case interrupted(VaultError?)
    }

    private let task: Task<Void, any Error>
    private var iterator: AsyncStream<Told>.AsyncIterator

    init(_ store: some CredentialStore) {
        let (told, continuation) = AsyncStream.makeStream(of: Told.self)
        iterator = told.makeAsyncIterator()
        task = Task {
            try await store.watch {
                continuation.yield(.changed($0))
            } interrupted: {
                continuation.yield(.interrupted($0))
            }
        }
    }

    deinit { stop() }

    /// Waits for what is told next.
    func next() async -> Told? { await iterator.next(isolation: #isolation) }

    /// Waits for the next changes, whatever else is told.
    func nextChange() async -> CredentialChanges? {
        while let told = await next() {
            if case .changed(let changes) = told { return changes }
        }
        return nil
    }

    /// Waits for the next reason why changes are not seen, whatever else is told.
    func nextInterruption() async -> VaultError? {
        while let told = await next() {
            if case .interrupted(let reason?) = told { return reason }
        }
        return nil
    }

    /// Waits until the last of some credentials has changed.
    /// - Returns: Those that have, in their order; one that has several times in a row once.
    func changed(until last: CredentialName) async -> [CredentialName?] {
        var changed: [CredentialName?] = []
        while changed.last != last, let changes = await nextChange() {
            switch changes {
            case .any: changed.append(nil)
            case .some(let names): for name in names where changed.last != name { changed.append(name) }
            }
        }
        return changed
    }

    func stop() { task.cancel() }
}
