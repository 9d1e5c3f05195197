import HTTP1Codec
import NIOCore
import Routing
import Settings

// MARK: - Requests

extension ClientHandler {
    /// Decodes what is buffered, as far as it is wanted.
    func pump() {
        guard machine.decodingBegan() else { return }
        do throws(MessageError) {
            decoding: while true {
                switch machine.next() {
                case .nothing: break decoding
                case .head:
                    guard let event = try decoder.next() else { break decoding }
                    if case .head(let head) = consume event { handle(head) }
                case .body:
                    guard let exchange, exchange.wantsRequestBody, let event = try decoder.next() else {
                        break decoding
                    }
                    hand(event, to: exchange)
                }
            }
        } catch {
            malformed(error)
        }
        machine.decodingEnded()
        exchange?.requestDelivered()
        if !mayHoldInput(), !isUploadHeldUp { refuseInput(asking: decoder.bufferedBytes - headMemory.bytes) }
        decoded()
        releaseRead()
    }

    /// Indicates whether what has come of a head can be given back for others. Not while it is decoded.
    var mayGiveInputBack: Bool {
        machine.isServing && !machine.isDecoding && headMemory.bytes > 0 && !isUploadHeldUp
    }

    func giveInputBack() {
        guard mayGiveInputBack else { return }
        refuseInput(asking: nil)
    }

    /// The client has too much held already.
    ///
    /// - Parameter more: Bytes that were asked for; nil: what it has is taken from it.
    private func refuseInput(asking more: Int?) {
        let problem = worker.usages.memoryRefused(to: inputUsage, asking: more)
        releaseInput()
        if let exchange {
            if exchange.requestIsWhole { return cutInput() }
            return exchange.fail(problem)
        }
        _ = decoder.takeBuffered()
        worker.exchanges.logRefusal(problem, nil)
        answer(problem, to: nil, requestIsComplete: false)
    }

    /// Drops what is behind the request in flight, whose response is the last.
    private func cutInput() {
        _ = decoder.takeBuffered()
        machine.inputWasCut()
    }

    func hand(_ event: RequestEvent, to exchange: Exchange) {
        switch event {
        case .head: break
        case .body(let bytes):
            progress()
            progressMade.moved(bytes.readableBytes, at: worker.clock.coarseNow)
            exchange.requestBody(bytes)
        case .end(let trailers):
            // From now on the exchange counts them.
            releaseInput()
            exchange.requestEnd(trailers: trailers)
        }
    }

    func malformed(_ error: MessageError) {
        if let exchange { return exchange.requestBroken(error) }
        let isTLS = intercepted == nil && decoder.takeBuffered().readableBytesView.first == 0x16
        let tlsProblem = gateway == nil ? Problem.tlsToProxy : .tlsToGateway
        let problem = isTLS ? tlsProblem : Problem(malformed: error, headerLimit: worker.settings.limits.header)
        worker.exchanges.logRefusal(problem, nil)
        answer(problem, to: nil, requestIsComplete: false)
    }

    func handle(_ head: consuming RequestHead) {
        if proxyLoop.isDraining { return refuse(.stopping, head) }
        if let overLimit, place == nil { return refuse(refusal(for: overLimit), head) }
        if intercepted?.renew(by: worker) == false { return refuse(.configurationChanged, head) }
        if let problem = RequestCourse.objection(to: head) { return refuse(problem, head) }
        if intercepted == nil, !hasWaited, worker.logins.isActive, !takeTurn(head) { return }
        if let place, place.isUnnamed, !claim(place, head) { return }
        serve(head)
    }

    func serve(_ head: consuming RequestHead) {
        if let gateway { return handle(head, at: gateway) }
        switch (intercepted, head.targetForm) {
        case (nil, .authority): connect(head)
        case (nil, .absolute):
            let course = RequestCourse(ofAbsolute: head, by: worker, destination: &destination)
            take(course, head, destination?.connections)
        case (nil, .origin), (nil, .asterisk): refuse(.notAProxyRequest, head)
        case (.some, .authority): refuse(.connectInsideTLS, head)
        case (.some(let intercepted), _):
            let course = RequestCourse(of: head, inside: intercepted.interception, by: worker)
            take(course, head, intercepted.connections)
        }
    }

    private func handle(_ head: consuming RequestHead, at connection: GatewayConnection) {
        guard let gateway = connection.gateway(by: worker) else { return refuse(.gatewayGone, head) }
        if head.targetForm == .authority { return refuse(.connectAtGateway, head) }
        take(RequestCourse(of: head, at: gateway, address: connection.address, by: worker), head)
    }

    /// - Parameter connections: To the upstream; nil when they are to be looked for.
    func take(_ course: consuming RequestCourse, _ head: consuming RequestHead, _ connections: TargetPool? = nil) {
        switch consume course {
        case .refuse(let problem): refuse(problem, head)
        case .exchange(let route):
            if intercepted == nil { noteLogin(route.clientName, head) }
            exchange(head, route, connections ?? worker.pool.connections(to: route.target))
        }
    }

    func exchange(_ head: consuming RequestHead, _ route: consuming ExchangeRoute, _ connections: TargetPool) {
        let admission: RequestAdmission?
        do throws(Problem) {
            admission = try worker.admit(route, from: self)
        } catch {
            return refuse(error, head)
        }
        let exchange = Exchange(
            head: head,
            route: route,
            connections: connections,
            admission: admission,
            client: self,
            context: worker.exchanges
        )
        self.exchange = exchange
        machine.exchangeBegan()
        // Whoever does not take answers makes no progress by asking for more of them.
        if backlog.lastTaken == nil || unsentBytes == 0 { progressMade = Progress(begun: exchange.record.start) }
        startTimer()
        exchange.start()
    }

    func refuse(_ problem: Problem, _ head: RequestHead) {
        worker.exchanges.logRefusal(problem, head)
        if problem.status == 407 || problem.status == 401 { noteFailedLogin(head) }
        answer(problem, to: head, requestIsComplete: head.framing == .none && head.method != .connect)
    }
}
