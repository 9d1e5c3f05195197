import Credentials
import HTTP1Codec
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings

/// A response that may refuse the signature or the token is held back until it is whole and can be read. It goes to the
/// client as it came, with what it means beside it, unless the request can be mended and sent again.
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
        guard let held = inspection.takeHeld() else { return }
        machine.inspectionEnded()
        if inspection.diagnosis == nil { diagnose(held) }
        forward(held.head)
        record.responseBytes += held.body.readableBytes
        if held.body.readableBytes > 0 { client.writeBody(held.body) }
    }

    /// The response is too large to be held back, or takes too long. The request cannot be mended any more, but those
    /// after it can.
    func giveUpInspection() {
        if let held = inspection.held, let account = route.accountReference, let authorization {
            diagnose(held)
            if authorization.isRenewable, refusesToken(held.head, authorization) {
                renewForOthers(authorization, of: account)
            } else if inspection.diagnosis?.cause == .timestampRefused {
                _ = followsClock(authorization, account, held.head)
            }
        }
        endInspection()
    }

    private func refusesToken(_ response: ResponseHead, _ authorization: ReadyAuthorization) -> Bool {
        inspection.diagnosis?.refusesToken ?? false
            || (response.status == 401 && authorization.isAccessToken && authorization.isRenewable)
    }

    /// - Returns: Whether the response is held back further, since the request is sent again or may be.
    func retryRefused(reusable: Bool) -> Bool {
        guard let held = inspection.held, let account = route.accountReference, let authorization else { return false }
        let response = held.head
        diagnose(held)
        if authorization.isRenewable, refusesToken(response, authorization) {
            guard repeats(after: .tokenRefused, reusable: reusable) else {
                renewForOthers(authorization, of: account)
                return false
            }
            renew(authorization, of: account)
            return true
        }
        if inspection.diagnosis?.cause == .timestampRefused {
            if machine.hasRepeated(after: .timestampRefused) {
                unlearnClock(account)
            } else if followsClock(authorization, account, response) {
                guard repeats(after: .timestampRefused, reusable: reusable) else { return false }
                inspection.drop()
                connect(allowReused: true)
                return true
            }
        }
        return false
    }

    private func repeats(after cause: ExchangeStateMachine.RepeatCause, reusable: Bool) -> Bool {
        guard machine.requestIsComplete, machine.repeatAfter(cause, bodyAtHand: kept.isAtHand) else { return false }
        stream?.release(reusable: reusable)
        stream = nil
        return true
    }

    /// This request cannot be mended; those after it can.
    private func renewForOthers(_ refused: ReadyAuthorization, of account: AccountReference) {
        inspection.note =
            machine.hasRepeated(after: .tokenRefused)
            ? "A new token was fetched for this request, and was refused as well."
            : "A new token is being fetched: send the request again."
        context.tokens.renew(refused, of: account, wait: nil) { _ in }
    }

    private func renew(_ refused: ReadyAuthorization, of account: AccountReference) {
        let wait = TokenWait(of: client.usage(of: route.clientName))
        tokenWait = wait
        context.tokens.renew(refused, of: account, wait: wait) { [weak self] result in
            guard let self, !isOver else { return }
            tokenWait = nil
            switch result {
            case .success(let ready):
                inspection.drop()
                authorization = ready
                connect(allowReused: true)
            case .failure(let problem):
                inspection.note = "A new token could not be had: \(problem.detail)"
                passRefusalOn()
            case nil:
                inspection.note =
                    "The token was new, and a next one is fetched after a pause only: send the request later."
                passRefusalOn()
            }
        }
    }

    /// No other token can be had: the provider's own answer goes to the client, whole as it was held back.
    private func passRefusalOn() {
        endInspection()
        endResponse(trailers: inspection.trailers, reusable: false)
    }

    // MARK: Diagnosis

    private func diagnose(_ held: HeldResponse) {
        guard let account = route.accountReference, let authorization else { return }
        let response = held.head
        let coding = response.fields.string(of: .contentEncoding) ?? ""
        let body = ContentDecoding.decode(held.body, contentEncoding: coding, limit: RefusalInspection.limit)
        inspection.diagnosis = ProviderDiagnosis.read(
            status: response.status,
            fields: response.fields.map { (String(buffer: $0.name), String(buffer: $0.value)) },
            body: body.map { [UInt8](buffer: $0) } ?? [],
            unreadBody: body == nil && held.body.readableBytes > 0 ? "Content-Encoding: \(coding)" : nil,
            secrets: context.apis[account.api].secrets(of: account) + authorization.secrets
        )
    }

    /// Returns what the refusal means and what to do, for the log and the client; nil when the response is no refusal.
    func refusalSentence(_ response: ResponseHead) -> String? {
        guard let diagnosis = inspection.diagnosis, let account = route.accountReference, let authorization else {
            return nil
        }
        let api = context.apis[account.api]
        let context = ProviderDiagnosis.Context(
            api: api.settings.name,
            account: api.name(of: account),
            host: route.authority.host,
            authorization: authorization.isAccessToken
                ? .accessToken : authorization.token == nil ? .clientAlone : .clientAndToken,
            usesPrivateKey: api.oauth1(of: account)?.options.signatureMethod.isRSA ?? false,
            isEnrolled: api.settings(of: account) == nil,
            loginCommand: api.loginCommand(of: account),
            clockOffset: clockDifference(response),
            clockCorrection: api.tls == nil ? .clearText : authorization.correctsClock ? .on : .off,
            realm: api.oauth1(of: account)?.options.realm,
            isRenewable: authorization.isRenewable,
            baseString: diagnosis.expectedBaseString == nil ? nil : sentBaseString()
        )
        let sentence = diagnosis.sentence(context)
        guard let note = inspection.note else { return sentence }
        let end = [".", "!", "?"].contains(where: sentence.hasSuffix) ? "" : "."
        return "\(sentence)\(end) \(note)"
    }

    /// The signature base string of the request as it was last sent (RFC 5849, section 3.4.1).
    private func sentBaseString() -> String? {
        guard !kept.isSent, case .signer(let signer) = authorization?.authorizer,
            let (nonce, timestamp) = signedWith
        else { return nil }
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        let collected = kept.collected
        let body = collected ?? ByteBuffer()
        let host = route.host
        let target = route.requestTarget
        let explanation = try? signer.explain(
            method: head.methodBytes.readableBytesUInt8Span,
            scheme: route.scheme,
            authority: host.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            contentType: contentType.readableBytesUInt8Span,
            body: collected == nil ? nil : body.readableBytesUInt8Span,
            nonce: nonce.span,
            timestamp: timestamp
        )
        return explanation?.baseString
    }
}

extension ResponseHead {
    /// Server-sent events: each is of use by itself, and the end may never come.
    fileprivate var isEventStream: Bool {
        guard let type = fields.string(of: .contentType) else { return false }
        return type.prefix { $0 != ";" && $0 != " " }.lowercased() == "text/event-stream"
    }
}
