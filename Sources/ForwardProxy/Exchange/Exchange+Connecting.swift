import HTTP1Codec
import NIOCore
import Routing

// MARK: - A connection for the request

extension Exchange {
    func connect(allowReused: Bool) {
        // Of a response that the request is sent again for, and nobody gets.
        record.firstByte = nil
        let usage = client.usage(of: route.clientName)
        let sendsBody = head.framing != .none && head.framing != .length(0)
        let requiresHTTP1 = requiresHTTP1
        if allowReused {
            if let own = client.ownedConnections?.leaseIdle(to: connections, for: route.clientName) {
                if connections.beginUse(of: own, by: usage) { return send(on: own) }
                own.release(reusable: true)
            }
            if let stream = connections.leaseIdle(http1: requiresHTTP1, sendsBody: sendsBody, for: usage) {
                return send(on: stream)
            }
        }
        let dial = route.api == nil ? ClientDial() : nil
        hold(.awaitingConnection(dial))
        let begin = context.clock.now
        connections.open(http1: requiresHTTP1, sendsBody: sendsBody, for: usage, dial: dial) { [weak self] result in
            self?.connectionCame(since: begin, result)
            switch result {
            case .success(let stream):
                guard let self, !isOver else { return stream.release(reusable: true) }
                send(on: stream)
            case .failure(let failure):
                guard let self, !isOver else { return }
                fail(failure.reason)
            }
        }
    }

    /// Indicates whether only HTTP/1.1 will do upstream.
    private var requiresHTTP1: Bool {
        offer != nil || authenticatesConnection || machine.hasRepeated(after: .http1Required)
    }

    /// Indicates whether the client's own credentials, which go on, make the connection to the server the client's.
    var authenticatesConnection: Bool { keepsAuthorization && ConnectionAuthentication.isUsed(by: head) }

    /// Reserves the connection that the request was sent on for this client's requests from now on. One that speaks
    /// HTTP/2 is shared all the same, and not asked for requests with such credentials.
    func ownConnection() {
        let owned = client.ownedConnections ?? OwnedConnections()
        client.ownedConnections = owned
        (stream as? UpstreamConnection)?.belong(to: owned.owner(for: route.clientName))
    }

    /// The wait for a connection is over.
    private func connectionCame(since begin: NIODeadline, _ result: Result<any UpstreamStream, FailedConnection>) {
        hold(.none)
        record.waitedForConnection(context.clock.now - begin, since: begin)
        if case .failure(let failure) = result { record.note(failure) }
    }

    /// Notes the connection that the request is about to be sent on.
    func noteSending(on stream: any UpstreamStream) {
        let isReused = stream.isReused
        let times = isReused ? nil : stream.connectTimes
        if let cause = record.willSend(isReused: isReused, stream.version, times) { noteRepeat(because: cause) }
        if context.reporter.isTracing { record.sentAt = context.clock.now }
    }

    /// Notes that the request is sent again.
    private func noteRepeat(because cause: ExchangeStateMachine.RepeatCause) {
        if context.decisions.tellsDecisions { context.decisions.tellRepeat(because: cause, number: record.number) }
        context.meter.repeated(route, because: cause)
    }
}
