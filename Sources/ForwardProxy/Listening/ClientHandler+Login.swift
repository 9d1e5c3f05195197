import HTTP1Codec
import NIOCore
import Routing

// MARK: - Who the client is

extension ClientHandler {
    /// Has a request whose log-in must wait handled later, or refused.
    ///
    /// - Returns: whether it is to be handled now.
    func takeTurn(_ head: RequestHead) -> Bool {
        guard let attempt = loginAttempt(of: head), attempt.name != clientName else { return true }
        switch worker.logins.turn(of: attempt) {
        case .now: return true
        case .at(let deadline):
            wait(until: deadline, head)
            return false
        case .never(let seconds):
            refuse(.tooManyFailedLogins(retryAfter: seconds), head)
            return false
        }
    }

    private func wait(until deadline: NIODeadline, _ head: RequestHead) {
        guard let context else { return }
        phase = .waiting
        timer.clear()
        turn = worker.clock.schedule(at: deadline, on: context.eventLoop) { [self] in
            turn = nil
            guard phase == .waiting else { return }
            phase = .serving
            // As from within the pump: what comes next takes its own turn.
            isPumping = true
            hasWaited = true
            handle(head)
            hasWaited = false
            isPumping = false
            pump()
        }
    }

    /// The client has been told that it is not who it says it is. One that has sent no password has not guessed.
    func noteFailedLogin(_ head: RequestHead) {
        guard let attempt = loginAttempt(of: head) else { return }
        // From now on its attempts are like those of any other connection.
        if attempt.name == clientName { clientName = nil }
        worker.logins.failed(attempt, hasWaited: hasWaited)
    }

    /// The client is who it says it is, on this connection as long as it says so.
    ///
    /// - Parameter name: nil where no clients are listed.
    func noteLogin(_ name: String?, _ head: borrowing RequestHead) {
        guard let name, name != clientName else { return }
        clientName = name
        guard let attempt = loginAttempt(of: head) else { return }
        worker.logins.succeeded(attempt, hasWaited: hasWaited)
    }

    private func loginAttempt(of head: borrowing RequestHead) -> LoginAttempt? {
        let fields = head.fields
        var credentials = fields.value(of: .proxyAuthorization)
        if gateway != nil, credentials == nil { credentials = fields.value(of: .authorization) }
        guard let credentials else { return nil }
        let login = worker.settings.router.claimedLogin(credentials.readableBytesUInt8Span)
        return login.map { LoginAttempt(peer: peer, login: $0) }
    }
}
