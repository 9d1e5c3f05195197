import NIOCore
import Settings

// MARK: - What the proxy asks of all clients' connections

extension ClientHandler: ClientConnection {
    var address: SocketAddress? { context?.channel.remoteAddress }

    var clientName: String? { requests.identity.name }

    var admission: ConnectionCounter.Place? { requests.identity.admission }

    var isPlaced: Bool { requests.identity.isPlaced }

    // MARK: Ends

    func configurationChanged() {
        let isServed = requests.configurationChanged(to: worker)
        ownedConnections?.closeIdle()
        if !isServed, machine.isAtRest(bufferedBytes: input.bufferedBytes) { closeWhenSent() }
    }

    func drain() {
        switch machine.drainingBegan(bufferedBytes: input.bufferedBytes) {
        case .close: closeWhenSent()
        case .awaitHead: startTimer()
        case .none: break
        }
    }

    func closeNow() {
        exchange?.cutOff()
        close()
    }

    var mayGiveWay: Bool { context?.channel.mayEndInOrder != false }

    func giveWay() {
        exchange?.giveWay()
        // A client that has had nothing to say for a long time may not answer TLS's close_notify either.
        closePastTLS()
    }

    // MARK: Use

    var keptSince: NIODeadline? { hasRest(.kept) ? waitBegan : nil }

    var silentSince: NIODeadline? { hasRest(.silent) ? waitBegan : nil }

    private func hasRest(_ rest: ClientConnectionStateMachine.Rest) -> Bool {
        isBetweenRequests && machine.rest(bufferedBytes: input.bufferedBytes) == rest
    }

    private var isBetweenRequests: Bool {
        machine.isAtRest(bufferedBytes: input.bufferedBytes) && requests.identity.overLimit == nil && isSent
    }

    func slowSince(at now: NIODeadline) -> NIODeadline? {
        guard machine.isServing || machine.isFlushing, requests.identity.overLimit == nil, !isBetweenRequests
        else {
            return nil
        }
        let lastTaken = progressMade.answersTaken(from: context?.channel, at: now)
        if let exchange {
            let unsent = exchange.stream?.unsentBytes ?? 0
            let lastMoved = progressMade.requestMoved(unsentBytes: unsent, at: now)
            if exchange.wantsRequestBody { return max(lastMoved, lastTaken ?? .distantPast) }
            return lastTaken ?? (unsent > 0 ? lastMoved : nil)
        }
        return machine.isHeadAwaited ? waitBegan : lastTaken
    }

    func unreadSince(at now: NIODeadline) -> NIODeadline? {
        context.flatMap { progressMade.answersRead(from: $0.channel, at: now) }
    }

    func heldMemory(of client: ClientUsage) -> [HeldMemory] {
        var held = exchange?.heldMemory(of: client).map { [$0] } ?? []
        if mayGiveInputBack, input.isHeld(for: client) {
            held.append(HeldMemory(bytes: input.heldBytes) { [self] in _ = endUnfinishedHead() })
        }
        return held
    }

    // MARK: Connections that nobody is named for

    var unnamedSince: NIODeadline? {
        guard let place = requests.identity.unnamedPlace, requests.intercepted == nil, exchange == nil else {
            return nil
        }
        return machine.mayGiveUpPlace ? place.arrived : nil
    }

    /// Indicates whether nothing is owed to the client yet, or any more: nobody has named it, or it was one too many
    /// and has been told. Nil when it is served, and need not be asked again.
    var mayEndUnnamed: Bool? {
        guard requests.identity.isUnnamedOrOverLimit, requests.intercepted == nil else { return nil }
        return machine.mayEndUnnamed(hasExchange: exchange != nil, isSent: unsentBytes == 0)
    }

    /// Gives up the connection's place for another one, before the client has been named.
    func giveUpPlace() {
        requests.identity.place?.end()
        giveWay()
    }
}
