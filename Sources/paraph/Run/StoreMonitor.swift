import CredentialStores
import Credentials
import Logging
import ServiceLifecycle
import Synchronization

/// Looks again and again whether a store that is reached by a network answers, and tells of each change in the log.
/// Nobody has to wait for it then, and none who ask for `/readyz` make it ask more often.
final class StoreMonitor: Service {
    private static let interval = Duration.seconds(1)

    private struct CheckOutcome {
        let vault: OpenedStore
        /// The reason why the store cannot be read; nil when it can.
        let failure: VaultError?
    }

    private let running: RunningConfiguration
    private let logger: Logger
    /// The last check; nil when there has been none.
    private let last = Mutex<CheckOutcome?>(nil)

    init(running: RunningConfiguration, logger: Logger) {
        self.running = running
        self.logger = logger
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let vault = self.running.state.vault
                if vault.isRemote {
                    await self.check(vault)
                } else {
                    // One that a reload has replaced is closed with its last user.
                    self.last.withLock { $0 = nil }
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Indicates whether what is stored can be read, as far as that concerns the store as a whole: by the last check,
    /// or at this moment where the store is on this machine.
    var isReadable: Bool {
        get async {
            let vault = running.state.vault
            let known = last.withLock { $0 }
            if vault.isRemote, let known, known.vault === vault { return known.failure == nil }
            return await check(vault)
        }
    }

    @discardableResult
    private func check(_ vault: OpenedStore) async -> Bool {
        var failure: VaultError?
        // The watch asks etcd all the time already.
        if vault.etcd?.watchState?.isGoingOn != true {
            do throws(VaultError) {
                try await vault.store.check()
            } catch {
                failure = error
            }
        }
        guard vault.isRemote, !Task.isCancelled else { return failure == nil }
        let before = last.withLock { [failure] last in
            defer { last = CheckOutcome(vault: vault, failure: failure) }
            return last?.failure
        }
        if let failure {
            // Nothing else is told of each try: it may fail in several ways by turns.
            let isTold = before?.isUnavailability == failure.isUnavailability
            if !isTold { tell(failure) }
        } else if before != nil {
            logger.info("the vault can be read again", metadata: ["vault": "\(vault.name)"])
        }
        return failure == nil
    }

    private func tell(_ failure: VaultError) {
        logger.error("the vault cannot be read, which is tried again and again", metadata: ["reason": "\(failure)"])
    }
}
