import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import NIOPosix
import OAuthSigning
import Routing
import Settings
import SignatureComparison

/// A signature of the client's own that the provider refuses is compared with the one that this proxy would have made,
/// where it has the same credentials.
extension Exchange {
    private static let busy = OwnSignature.Outcome(
        sentence: "The client's own signature was refused, and not compared: one was just now. Send the request again.",
        summary: "The client's own signature was refused, and not compared: one was just now."
    )

    /// Has a response held back that refuses a signature of the client's own, if something can be said of it.
    func expectsRefusalOfOwnSignature() -> Bool {
        guard let own = ownSignature() else { return false }
        inspection.expectRefusal(of: own)
        return true
    }

    /// Returns the client's own signature; nil where it made none, or with credentials that are not known here;
    /// one that cannot be read counts as well.
    private func ownSignature() -> OwnSignature? {
        guard keepsAuthorization, let api = route.api.map({ context.apis[$0.index] }),
            case .oauth1 = api.settings.scheme, let field = head.fields.string(of: .authorization)
        else { return nil }
        do throws(ComparisonError) {
            guard let sent = try SentSignature(authorization: Array(field.utf8)),
                let credentials = credentials(that: sent, in: api)
            else { return nil }
            return OwnSignature.Comparable(
                sent,
                head: head,
                scheme: route.scheme.rawValue,
                host: route.host,
                target: route.requestTarget,
                credentials: credentials
            )
            .map(OwnSignature.comparable)
        } catch {
            guard case .fieldMalformed(let fault) = error else { return nil }
            return .unreadable(fault)
        }
    }

    /// Returns the credentials that a signature says it is made with, and the name of the account that has them.
    private func credentials(
        that sent: SentSignature,
        in api: APIContext
    ) -> (client: ClientCredentials, token: TokenCredentials?, account: String)? {
        guard let number = route.api?.index else { return nil }
        let named = route.accountReference.map { [$0] } ?? []
        let accounts = named + api.settings.accounts.indices.map { .configured(api: number, account: $0) }
        // What is told of the secrets of others is no business of the client's.
        for account in accounts where route.client?.mayUse(accountNamed: api.name(of: account)) ?? true {
            guard let client = api.oauth1(of: account)?.client, client.identifier == sent.consumerKey,
                let token = token(of: account, in: api), token?.token == sent.token
            else { continue }
            return (client, token, "\(api.settings.name)/\(api.name(of: account))")
        }
        return nil
    }

    /// - Returns: Nil where it is not at hand; a token that is nil where there is none.
    private func token(of account: AccountReference, in api: APIContext) -> TokenCredentials?? {
        if let ready = context.tokens.cached(account) {
            switch ready.token {
            case .oauth1(let credentials): return credentials
            case .access: return nil
            case nil: return .some(nil)
            }
        }
        return switch api.settings(of: account)?.source {
        case .issued(let credentials): credentials
        case .twoLegged: .some(nil)
        case .reverseAuth, .xAuth, .threeLegged, .password, .bearer, nil: nil
        }
    }

    /// Compares the client's own signature, if the response that is held back refuses one. Then the response goes on.
    ///
    /// - Returns: Whether that is under way.
    func comparesSignature(reusable: Bool) -> Bool {
        guard let own = inspection.ownSignature, machine.requestIsComplete, requestIsAtHand else { return false }
        if let account = route.accountReference {
            let secrets = context.apis[account.api].secrets(of: account) + own.secrets
            inspection.diagnose(secrets: secrets, requestSecrets: requestSecrets)
        }
        let diagnosis = inspection.diagnosis
        guard case .comparable(let own) = own else {
            if let outcome = own.outcome(diagnosis) { inspection.compared(outcome) }
            return false
        }
        guard context.comparisonPace.begin(at: context.clock.now) else {
            if diagnosis != nil { inspection.compared(Self.busy) }
            return false
        }
        releaseStream(reusable: reusable)
        let body = held.body.replay
        let now = UInt64(max(0, context.clock.coarseWallSeconds))
        let context = context
        NIOThreadPool.singleton.runIfActive(eventLoop: context.loop) { own.outcome(diagnosis, body: body, now: now) }
            .assumeIsolated()
            .whenComplete { [weak self] result in
                context.comparisonPace.end(at: context.clock.now)
                guard let self, !isOver else { return }
                if case .success(let outcome?) = result { inspection.compared(outcome) }
                endInspection()
                endResponse(trailers: inspection.trailers, reusable: false)
            }
        return true
    }
}
