import AdminServer
import Settings
import Synchronization

/// A process that does nothing of what it is told but remember it.
final class MemoryControl: ProcessControl {
    private let result: ReloadResult
    private let told = Mutex<[String]>([])

    /// - Parameter result: The result of every reload.
    init(_ result: ReloadResult = .applied(SettingChanges())) {
        self.result = result
    }

    /// The commands that it was given, in order.
    var calls: [String] { told.withLock { $0 } }

    func reload() async -> ReloadResult {
        told.withLock { $0.append("reload") }
        return result
    }

    func quit() {
        told.withLock { $0.append("quit") }
    }
}
