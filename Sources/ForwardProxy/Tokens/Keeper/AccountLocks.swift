import Credentials
import Synchronization

/// Lets one exchange at a time run for an account, also while an exchange of an earlier configuration still does.
final class AccountLocks: Sendable {
    /// The tasks that wait for an account that is taken.
    private let waiters = Mutex<[CredentialName: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` when no other body of the same account runs.
    func withLock<Value, Failure: Error>(
        _ name: CredentialName,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await take(name)
        defer { free(name) }
        return try await body()
    }

    private func take(_ name: CredentialName) async {
        await withCheckedContinuation { continuation in
            let isFree = waiters.withLock { waiters in
                guard waiters[name] != nil else {
                    waiters[name] = []
                    return true
                }
                waiters[name]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func free(_ name: CredentialName) {
        let next = waiters.withLock { waiters -> CheckedContinuation<Void, Never>? in
            guard var queue = waiters[name], !queue.isEmpty else {
                waiters[name] = nil
                return nil
            }
            let next = queue.removeFirst()
            waiters[name] = queue
            return next
        }
        next?.resume()
    }
}
