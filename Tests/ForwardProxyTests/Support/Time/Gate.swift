/// Holds up whoever comes, until it is opened or the task is cancelled.
final class Gate: Sendable {
    private let inbox = Inbox()

    func open() {
        inbox.update { $0.end = .clean }
    }

    func wait() async {
        _ = try? await inbox.wait { $0.end }
    }
}
