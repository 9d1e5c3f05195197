import AdminServer
import ServiceLifecycle
import Synchronization

/// The requests for a reload, of which one at a time is carried out.
///
/// A request that comes while a reload is under way may be of a file that was changed after that reload had read it: it
/// is left for the next one, which all who wait by then have in common.
final class ReloadRequests: Sendable {
    private enum State {
        /// - Parameter due: Who waits for the next reload; nil: nobody wants one.
        case open(due: [CheckedContinuation<ReloadResult, Never>]?)
        case ended
    }

    private let state = Mutex(State.open(due: nil))
    /// A signal that a reload is wanted.
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for a reload, and waits for nothing.
    func note() {
        add(nil)
    }

    /// Asks for a reload.
    /// - Returns: The result of one that began after the call.
    func result() async -> ReloadResult {
        await withCheckedContinuation { add($0) }
    }

    /// Reloads whenever that is wanted, until a graceful shutdown. Whoever waits then, or comes later, is told that the
    /// process ends.
    func serve(_ reload: () async -> ReloadResult) async {
        for await _ in arrivals.cancelOnGracefulShutdown() {
            guard !Task.isShuttingDownGracefully else { break }
            // A request that came just before the last reload began was part of it.
            guard let waiting = takeDue() else { continue }
            let result = await reload()
            for continuation in waiting { continuation.resume(returning: result) }
        }
        for continuation in end() { continuation.resume(returning: .ending) }
    }

    private func add(_ continuation: CheckedContinuation<ReloadResult, Never>?) {
        let isOpen = state.withLock { state in
            guard case .open(let due) = state else { return false }
            state = .open(due: (due ?? []) + (continuation.map { [$0] } ?? []))
            return true
        }
        if isOpen { arrival.yield() } else { continuation?.resume(returning: .ending) }
    }

    private func takeDue() -> [CheckedContinuation<ReloadResult, Never>]? {
        state.withLock { state in
            guard case .open(let due) = state else { return nil }
            state = .open(due: nil)
            return due
        }
    }

    private func end() -> [CheckedContinuation<ReloadResult, Never>] {
        state.withLock { state in
            guard case .open(let due) = state else { return [] }
            state = .ended
            return due ?? []
        }
    }
}
