import Bytes
import Hummingbird
import Logging
import Settings

/// `/reload` and `/quit`: what the process is told to do, what is answered, and the log of who told it.
struct ControlEndpoints: Sendable {
    private let control: any ProcessControl
    private let logger: Logger

    init(control: any ProcessControl, logger: Logger) {
        self.control = control
        self.logger = logger
    }

    /// - Parameter client: The address of who asks, for the log.
    func reload(client: String) async throws(AdminRefusal) -> Response {
        logger.info("told to reload the configuration", metadata: ["client": "\(client)"])
        switch await control.reload() {
        case .applied(let changes): return changes.isEmpty ? AdminAnswer.done : Self.answer(changes)
        case .refused(let reason, let mistakes): return Self.refusal(reason, mistakes)
        case .ending: throw .ending
        }
    }

    /// - Parameter client: The address of who asks, for the log.
    func quit(client: String) -> Response {
        logger.info("told to stop", metadata: ["client": "\(client)"])
        control.quit()
        return AdminAnswer.text("stopping once the requests in flight are finished\n", status: .accepted)
    }

    private static func answer(_ changes: SettingChanges) -> Response {
        AdminAnswer.json([
            ("error", .boolean(false)),
            ("message", .string("The configuration was reloaded.")),
            ("added", .strings(changes.added)),
            ("changed", .strings(changes.changed)),
            ("removed", .strings(changes.removed)),
        ])
    }

    private static func refusal(_ reason: String, _ mistakes: [String]) -> Response {
        AdminAnswer.json(
            [
                ("error", .boolean(true)),
                ("message", .string("The configuration was not reloaded: everything goes on as before.")),
                ("detail", .string(reason)),
                ("mistakes", .strings(mistakes)),
            ],
            status: .unprocessableContent
        )
    }
}
