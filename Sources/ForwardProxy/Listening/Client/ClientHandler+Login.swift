import HTTP1Codec
import NIOCore
import Routing
import Settings

// MARK: - Who the client is

extension ClientHandler {
    /// Has a request whose log-in must wait handled later, or refused.
    ///
    /// - Returns: Whether it is to be handled now.
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
        machine.requestWaits()
        startTimer()
        turn = worker.clock.schedule(at: deadline, on: context.eventLoop) { [self] in
            turn = nil
            resume(hasWaited: true) { handle(head) }
        }
    }

    /// Goes on with a request that has waited.
    private func resume(hasWaited: Bool, _ body: () -> Void) {
        guard machine.resumed() else { return }
        self.hasWaited = hasWaited
        body()
        self.hasWaited = false
        machine.decodingEnded()
        pump()
    }

    /// Counts the connection for the client whose its first request is. It may have to take another one's place.
    ///
    /// - Returns: Whether the request is to be served now.
    func claim(_ place: ClientPlace, _ head: RequestHead) -> Bool {
        let router = worker.settings.router
        guard let client = credentials(of: head).flatMap({ router.client($0.readableBytesUInt8Span) }) else {
            guard overLimit != nil else { return true }
            // It may have waited to be checked, or said nothing, since there was no room.
            overLimit = place.takeFree(limit: worker.settings.limits.connections)
            guard let overLimit else { return true }
            noteFailedLogin(head)
            refuse(refusal(for: overLimit), head)
            return false
        }
        let key = ClientKey.client(client.name)
        let usage = worker.usages.usage(of: key)
        if place.claim(for: usage) { return true }
        guard let context else { return false }
        machine.requestWaits()
        startTimer()
        let hasWaited = self.hasWaited
        place.take(for: usage, key, limit: worker.settings.limits.connections, on: context.eventLoop)
            .assumeIsolated()
            .whenSuccess { [self] shortage in
                resume(hasWaited: hasWaited) {
                    overLimit = shortage
                    if let shortage { refuse(refusal(for: shortage, of: client.name), head) } else { serve(head) }
                }
            }
        return false
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
    /// - Parameter name: Nil where no clients are listed.
    func noteLogin(_ name: String?, _ head: borrowing RequestHead) {
        guard let name, name != clientName else { return }
        clientName = name
        guard let attempt = loginAttempt(of: head) else { return }
        worker.logins.succeeded(attempt, hasWaited: hasWaited)
    }

    var unnamedSince: NIODeadline? {
        guard let place, place.isUnnamed, intercepted == nil, exchange == nil else { return nil }
        switch machine.state {
        // One that waits for its turn ends without an answer: nothing is told of its guess, which counts all the same.
        case .serving, .waiting, .finishing, .lingering: return place.arrived
        case .connecting, .closed: return nil
        }
    }

    var isPlaced: Bool { place?.isAdmitted ?? (overLimit == nil) }

    /// Indicates whether nothing is owed to the client yet, or any more: nobody has named it, or it was one too many
    /// and has been told. Nil when it is served, and need not be asked again.
    var mayEndUnnamed: Bool? {
        guard let place, place.isUnnamed || overLimit != nil, intercepted == nil else { return nil }
        switch machine.state {
        case .serving: return exchange == nil && unsentBytes == 0
        case .lingering: return true
        case .waiting, .connecting, .finishing: return false
        case .closed: return nil
        }
    }

    private func credentials(of head: borrowing RequestHead) -> ByteBuffer? {
        let fields = head.fields
        let credentials = fields.value(of: .proxyAuthorization)
        return gateway != nil && credentials == nil ? fields.value(of: .authorization) : credentials
    }

    private func loginAttempt(of head: borrowing RequestHead) -> LoginAttempt? {
        guard let credentials = credentials(of: head) else { return nil }
        let login = worker.settings.router.claimedLogin(credentials.readableBytesUInt8Span)
        return login.map { LoginAttempt(peer: peer, login: $0) }
    }
}
