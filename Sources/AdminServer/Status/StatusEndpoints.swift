import Credentials
import Hummingbird
import Settings

/// `GET /status` and `GET /accounts/API/NAME`: what the process tells of itself.
struct StatusEndpoints: Sendable {
    private let source: any StatusSource

    init(source: any StatusSource) {
        self.source = source
    }

    /// - Parameter admin: The address of the listener that is asked, which the process does not know of itself.
    func status(admin: ListenAddress?) async -> Response {
        var status = await source.status()
        if let admin {
            status.listeners.insert(ListenerStatus(.admin, address: "\(admin)"), at: min(1, status.listeners.count))
        }
        return AdminAnswer.json(status.json)
    }

    func account(_ name: CredentialName) async throws(AdminRefusal) -> Response {
        guard let account = await source.account(name) else { throw .unknownAccount }
        return AdminAnswer.json(account.json)
    }
}
