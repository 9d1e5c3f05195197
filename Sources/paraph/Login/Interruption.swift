import ArgumentParser
import UnixSignals

/// Ends a command early when it is told to (SIGINT, SIGTERM): what it does is cancelled and waited for, so that nothing
/// stays half done.
enum Interruption {
    private enum Event<Value: Sendable>: Sendable {
        case finished(Result<Value, any Error>)
        case interrupted(UnixSignal)
    }

    /// - Returns: The result of the body, also when that comes after the signal.
    /// - Throws: The error of the body; after a signal, 128 and its number as a shell has it.
    static func guarding<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Event<Value>?.self) { group in
            group.addTask {
                do {
                    return .finished(.success(try await body()))
                } catch {
                    return .finished(.failure(error))
                }
            }
            group.addTask {
                for await signal in signals { return .interrupted(signal) }
                return nil
            }
            var signal: UnixSignal?
            for try await event in group {
                switch event {
                case .interrupted(let received):
                    signal = received
                    group.cancelAll()
                case .finished(let result):
                    group.cancelAll()
                    if case .failure = result, let signal { throw ExitCode(128 + signal.rawValue) }
                    return try result.get()
                case nil: continue
                }
            }
            throw CancellationError()
        }
    }
}
