import Credentials
import HTTP1Codec
import NIOCore
import NIOPosix
import OAuthSigning
import Routing
import Settings

/// A response that may refuse the signature or the token is held back until it is whole and can be read. It goes to the
/// client as it came, with what it means beside it, unless the request can be corrected and sent again.
extension Exchange {
    /// Holds a response back, as long as it may soon be whole.
    func inspect(_ response: ResponseHead) {
        inspection.hold(response)
        if response.isEventStream { return giveUpInspection() }
        let timer = context.clock.schedule(in: Self.inspectionTime, on: context.loop) { [weak self] in
            guard let self, inspection.isHolding, !isOver else { return }
            giveUpInspection()
            client.writeGathered()
            client.flush()
        }
        inspection.end(by: timer)
    }

    /// The response that was held back goes to the client.
    func endInspection() {
        if inspection.isHolding, inspection.diagnosis == nil { diagnose() }
        guard let held = inspection.takeHeld() else { return }
        machine.inspectionEnded()
        forward(held.head)
        if held.body.readableBytes > 0 { forward(body: held.body) }
    }

    /// The response is too large to be held back, or takes too long. The request cannot be corrected any more, but those
    /// after it can.
    func giveUpInspection() {
        _ = correct(responseIsWhole: false, reusable: false)
        endInspection()
    }

    /// Removes the cause of the refusal that is held back, for this request if it can be sent again, or for those after
    /// it.
    ///
    /// - Returns: Whether the response is held back further, since the request is sent again or may be.
    func correct(responseIsWhole: Bool, reusable: Bool) -> Bool {
        guard let held = inspection.held, let account = route.accountReference, let ready = authorization.ready else {
            return false
        }
        diagnose()
        guard let part = inspection.refusedPart(of: ready) else { return false }
        let api = context.apis[account.api]
        switch machine.refused(part, responseIsWhole: responseIsWhole, bodyAtHand: requestIsAtHand) {
        case .renew:
            repeats(after: .tokenRefused, reusable: reusable)
            renew(ready, of: account) { [weak self] problem in self?.passRefusalOn(problem) }
            return true
        case .renewForOthers:
            renewForOthers(ready, of: account)
            return false
        case .followClock:
            guard followClock(ready, api, held.head),
                machine.clockFollowed(responseIsWhole: responseIsWhole, bodyAtHand: requestIsAtHand)
            else { return false }
            repeats(after: .timestampRefused, reusable: reusable)
            sendAgain()
            return true
        case .forgetClock:
            if let (learnt, before) = inspection.clockRefused() {
                api.unlearnClock(learnt, before: before, context.reporter.logger)
            }
            return false
        }
    }

    /// Indicates whether all that has come of the request can be sent again.
    var requestIsAtHand: Bool { held.body.isAtHand }

    /// The secrets of the request, with which a server's words are not repeated.
    var secrets: ExchangeSecrets {
        ExchangeSecrets(
            head: head,
            body: requestIsAtHand ? held.body.collected ?? held.body.replay ?? ByteBuffer() : nil,
            tokenField: route.tokenField(context.apis),
            ready: authorization.ready,
            account: route.accountReference.map { context.apis[$0.api].secrets(of: $0) } ?? []
        )
    }

    private func repeats(after cause: ExchangeStateMachine.RepeatCause, reusable: Bool) {
        record.willRepeat(because: cause)
        releaseStream(reusable: reusable)
    }

    /// This request cannot be corrected; those after it can.
    private func renewForOthers(_ refused: ReadyAuthorization, of account: AccountReference) {
        inspection.note =
            machine.hasRepeated(after: .tokenRefused)
            ? "A new token was fetched for this request, and was refused as well."
            : "A new token is being fetched: send the request again."
        context.tokens.renew(refused, of: account, wait: nil) { _ in }
    }

    /// No other token can be had: the provider's own answer goes to the client, whole as it was held back.
    ///
    /// - Parameter problem: Nil where it is too early for another token.
    private func passRefusalOn(_ problem: Problem?) {
        inspection.note =
            if let problem {
                "A new token could not be had: \(problem.detail)"
            } else {
                "The token was new, and a next one is fetched after a pause only: send the request later."
            }
        endInspection()
        endResponse(trailers: inspection.trailers, reusable: false)
    }

    // MARK: Diagnosis

    private func diagnose() {
        guard let account = route.accountReference, authorization.ready != nil else { return }
        let secrets = secrets
        inspection.diagnose(secrets: secrets.authorizing, requestSecrets: secrets.ofRequest)
        guard let diagnosis = inspection.diagnosis else { return }
        context.meter.refused(account.api, because: diagnosis.cause)
    }

    /// Returns the signature base string of the request as it was last sent; nil when it is not known any more.
    private func sentBaseString() -> String? {
        guard !held.body.isSent else { return nil }
        return authorization.baseString(head, on: route, body: held.body.collected)
    }

    /// Returns what the refusal means and what to do, for the log and the client; nil when the response is no refusal.
    func refusalSentence(_ response: ResponseHead) -> String? {
        guard let diagnosis = inspection.diagnosis, let account = route.accountReference,
            let ready = authorization.ready
        else { return nil }
        let api = context.apis[account.api]
        return inspection.sentence(
            ProviderDiagnosis.Context(
                api: api.settings.name,
                account: api.name(of: account),
                host: route.authority.host,
                authorization: ready.isAccessToken
                    ? .accessToken : ready.token == nil ? .clientAlone : .clientAndToken,
                usesPrivateKey: api.oauth1(of: account)?.options.signatureMethod.isRSA ?? false,
                isEnrolled: api.settings(of: account) == nil,
                loginCommand: api.loginCommand(of: account),
                clockOffset: inspection.clockDifference(
                    response,
                    signedAt: authorization.timestamp,
                    now: context.clock.coarseWallSeconds
                ),
                clockCorrection: api.tls == nil ? .clearText : ready.correctsClock ? .on : .off,
                realm: api.oauth1(of: account)?.options.realm,
                isRenewable: ready.isRenewable,
                baseString: diagnosis.expectedBaseString == nil ? nil : sentBaseString()
            )
        )
    }

    // MARK: The provider's clock

    /// Learns the provider's clock from its answer, where it is followed.
    /// - Returns: Whether another timestamp is worth a try.
    private func followClock(_ ready: ReadyAuthorization, _ api: APIContext, _ response: ResponseHead) -> Bool {
        let before = api.clock.currentOffset
        guard ready.correctsClock,
            let offset = inspection.clockOffset(response, now: context.clock.coarseWallSeconds),
            api.followClock(offset, context.reporter.logger)
        else { return false }
        inspection.clockLearnt(offset, before: before)
        return true
    }

    // MARK: A signature of the client's own

    /// Prepares to hold back a response that refuses a signature of the client's own. Returns false where nothing could
    /// be said of it.
    func expectsRefusalOfOwnSignature() -> Bool {
        guard keepsAuthorization, let api = route.api,
            let own = OwnSignature.read(in: head, on: route, context.apis[api.index], context.tokens)
        else { return false }
        inspection.expectRefusal(of: own)
        return true
    }

    /// Compares the client's own signature, if the response that is held back refuses one, with the one that this proxy
    /// would have made. Then the response goes on.
    ///
    /// - Returns: Whether that is under way.
    func comparesSignature(reusable: Bool) -> Bool {
        guard let own = inspection.ownSignature, machine.requestIsComplete, requestIsAtHand else { return false }
        if route.accountReference != nil {
            let secrets = secrets
            inspection.diagnose(secrets: secrets.authorizing + own.secrets, requestSecrets: secrets.ofRequest)
        }
        let diagnosis = inspection.diagnosis
        guard case .comparable(let own) = own else {
            if let outcome = own.outcome(diagnosis) { inspection.compared(outcome) }
            return false
        }
        guard context.signatures.beginComparison() else {
            if diagnosis != nil { inspection.compared(.notCompared) }
            return false
        }
        releaseStream(reusable: reusable)
        let body = held.body.replay
        let now = UInt64(max(0, context.clock.coarseWallSeconds))
        let signatures = context.signatures
        NIOThreadPool.singleton.runIfActive(eventLoop: context.loop) { own.outcome(diagnosis, body: body, now: now) }
            .assumeIsolated()
            .whenComplete { [weak self] result in
                signatures.endComparison()
                guard let self, !isOver else { return }
                if case .success(let outcome?) = result { inspection.compared(outcome) }
                endInspection()
                endResponse(trailers: inspection.trailers, reusable: false)
            }
        return true
    }
}

extension ResponseHead {
    /// Server-sent events: each is of use by itself, and the end may never come.
    fileprivate var isEventStream: Bool {
        guard let type = fields.string(of: .contentType) else { return false }
        return type.prefix { $0 != ";" && $0 != " " }.lowercased() == "text/event-stream"
    }
}
