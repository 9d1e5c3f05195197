/// The reason why an exchange gave no token: the step, what the provider said, and what to do about it.
package struct ExchangeFailure: Error, Sendable, Equatable {
    /// The request of the exchange that failed, in words ("reverse auth step 1").
    package var step: String
    /// The status of the provider's answer; nil when there was none.
    package var status: Int?
    /// The provider's words: scrubbed of secrets, printable, at most 200 characters. May be empty.
    package var words: String
    package var cause: Cause
    /// The time for which the same failure is answered without asking the provider again, in whole seconds, rounded up.
    package var retryAfter: Int?
    /// Indicates whether the provider may have got the request.
    package var wasSent = true

    package init(step: String, status: Int?, words: String, cause: Cause, retryAfter: Int? = nil) {
        self.step = step
        self.status = status
        self.words = words
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// Bounded: fit for a metric's label.
    package var label: String { cause.rawValue }

    /// Everything a person needs, in a few sentences.
    package var detail: String {
        if cause == .vaultUnreadable || cause == .storeUnavailable { return "\(sentence) \(words)" }
        var text =
            ExchangeStep(rawValue: step) == nil
            ? "\(step.prefix(1).uppercased())\(step.dropFirst()) failed: " : "The token exchange failed in \(step): "
        if let status { text += "the provider answered \(status). " }
        text += sentence
        // Without an answer they are this side's own.
        if !words.isEmpty { text += status == nil ? " \(words)" : " It said: \(words)" }
        if retryAfter != nil, !text.hasSuffix(".") { text += "." }
        if let retryAfter { text += " It is tried again in \(retryAfter) s at the earliest." }
        return text
    }
}

extension ExchangeFailure: CustomStringConvertible {
    package var description: String { detail }
}

extension ExchangeFailure {
    /// The cause of the failure, as far as it can be told. The raw values are labels.
    package enum Cause: String, Sendable, CaseIterable {
        case settings = "exchange_settings"
        case vaultUnreadable = "vault_unreadable"
        case storeUnavailable = "store_unavailable"
        case unreachable = "exchange_unreachable"
        case notTrusted = "exchange_not_trusted"
        case timedOut = "exchange_timed_out"
        case signatureRefused = "exchange_signature_refused"
        case clientRefused = "exchange_client_refused"
        case loginRefused = "exchange_login_refused"
        case notPermitted = "exchange_not_permitted"
        case tokenRefused = "exchange_token_refused"
        case verifierRefused = "exchange_verifier_refused"
        case clockRefused = "exchange_clock_refused"
        case parametersRefused = "exchange_parameters_refused"
        case limited = "exchange_limited"
        case redirected = "exchange_redirected"
        case providerFailed = "exchange_provider_failed"
        case refused = "exchange_refused"
        case emptyAnswer = "exchange_empty_answer"
        case pageAnswered = "exchange_page_answered"
        case unexpectedAnswer = "exchange_unexpected_answer"
        case oversizedAnswer = "exchange_oversized_answer"
        case tokenTypeUnusable = "exchange_token_type_unusable"
        case callbackUnconfirmed = "exchange_callback_unconfirmed"
        case tokenMismatch = "exchange_token_mismatch"
        case verifierMissing = "exchange_verifier_missing"

        /// The causes that an exchange can fail for which needs no person.
        package static let ofExchanges = allCases.filter { !ofPersons.contains($0) && !ofStores.contains($0) }

        private static let ofStores: Set<Cause> = [.vaultUnreadable, .storeUnavailable]
        private static let ofPersons: Set<Cause> = [.callbackUnconfirmed, .tokenMismatch, .verifierMissing]
    }

    /// The meaning of the cause, and the remedy.
    package var sentence: String {
        let kind = ExchangeStep(rawValue: step)?.kind
        return switch cause {
        case .settings: "The request could not be made; check \(Self.settings(of: kind))."
        case .vaultUnreadable:
            "What the vault holds for this account cannot be used, and the provider was not asked."
        case .storeUnavailable:
            "The store of credentials does not answer, or refuses, and the provider was not asked: without it, what this "
                + "account has may be used elsewhere or be of no use any more. Requests whose token is known go on."
        case .unreachable:
            "There was no answer from the provider; check its address, the network, and the TLS policy of this API."
        case .notTrusted: "Nothing was sent: the provider's certificates were not accepted."
        case .timedOut: "The provider did not answer in time; check its address and the network, or wait."
        case .signatureRefused: Self.refusedSignature(kind)
        case .clientRefused: "The provider does not accept the client; check its identifier and its secret."
        case .loginRefused:
            "The provider does not accept the user name and the password; check both, and that this account may log in "
                + "without a browser."
        case .notPermitted: "The application may not use \(Self.name(of: kind)); ask the provider to allow it."
        case .tokenRefused: Self.refusedToken(kind)
        case .verifierRefused:
            "The provider does not accept the verifier, which is good once and for a few minutes; begin anew."
        case .clockRefused: "The provider does not accept the time; set this machine's clock."
        case .parametersRefused: Self.refusedParameters(kind)
        case .limited: "The provider allows no more requests for now; wait."
        case .redirected:
            "The answer is a redirect, which is never followed; configure the URL that it points to."
        case .providerFailed: "The provider failed; nothing is wrong here that is known. Wait."
        case .refused: "The provider refused; check \(Self.settings(of: kind))."
        case .emptyAnswer: "The answer is empty; check that the URL is the provider's own token endpoint."
        case .pageAnswered:
            "The answer is a web page and no token; check that the URL is the provider's own token endpoint."
        case .unexpectedAnswer:
            "The answer is not what this step owes; check that the URL is the provider's token endpoint for it."
        case .oversizedAnswer:
            "The answer is too large for a token; check that the URL is the provider's own token endpoint."
        case .tokenTypeUnusable:
            "The token is of a type that has to be proved with each request; ask the provider for bearer tokens."
        case .callbackUnconfirmed:
            "The provider did not confirm the callback (oauth_callback_confirmed=true), as OAuth 1.0a asks; a provider of "
                + "OAuth 1.0 is accepted with version: 1.0 in this account's three_legged."
        case .tokenMismatch:
            "What came back belongs to another authorization than the one that was begun; use the address that was "
                + "printed last."
        case .verifierMissing:
            "The provider sent no verifier (oauth_verifier): it was refused the authorization, or is of OAuth 1.0, which is "
                + "accepted with version: 1.0 in this account's three_legged."
        }
    }

    private static func settings(of kind: ExchangeStep.Kind?) -> String {
        switch kind {
        case .reverseAuth: "the two URLs and the credentials of this account's reverse_auth"
        case .xAuth: "access_token_url and the login of this account's xauth, and the API's oauth1"
        case .oauth2: "token_url, client_id and client_secret of the API's oauth2, and this account's password"
        case .threeLegged: "the URLs of this account's three_legged, and the API's oauth1"
        case nil: "the settings of this account and of its API"
        }
    }

    private static func name(of kind: ExchangeStep.Kind?) -> String {
        switch kind {
        case .reverseAuth: "reverse auth"
        case .xAuth: "xAuth"
        case .oauth2: "the password grant, or not with this scope"
        case .threeLegged, nil: "this way to a token"
        }
    }

    private static func refusedSignature(_ kind: ExchangeStep.Kind?) -> String {
        let sentence = "The provider does not accept the signature"
        return switch kind {
        case .reverseAuth:
            "\(sentence); check the consumer key and secret (step 1), and the four values of signed_as (step 2)."
        case .xAuth: "\(sentence), or the login; check consumer_key and consumer_secret, username and password."
        case .oauth2: "The provider does not accept the client; check client_id and client_secret."
        case .threeLegged, nil: "\(sentence); check consumer_key, consumer_secret, signature_method and realm."
        }
    }

    private static func refusedToken(_ kind: ExchangeStep.Kind?) -> String {
        switch kind {
        case .reverseAuth:
            "The platform account's token is not valid any more; put a new token and token_secret in signed_as."
        case .oauth2: "The refresh token is not valid any more."
        case .threeLegged: "The temporary credentials are not valid any more; begin anew."
        case .xAuth, nil: "The provider does not accept the token; check \(settings(of: kind))."
        }
    }

    private static func refusedParameters(_ kind: ExchangeStep.Kind?) -> String {
        switch kind {
        case .reverseAuth:
            "The provider does not accept step 1's answer from this platform account; check that consumer_key is the "
                + "application's own and that signed_as is an account the provider lets vouch for users."
        case .threeLegged:
            "The provider does not accept the callback; set callback of this account's three_legged to one that is "
                + "registered with the provider, or to oob."
        case .xAuth, .oauth2, nil:
            "The provider does not accept what it was sent; check \(settings(of: kind))."
        }
    }
}

/// The requests that exchanges make. The raw values are what ``ExchangeFailure/step`` and ``ExchangeRequest/step`` say.
enum ExchangeStep: String {
    case reverseAuth = "reverse auth"
    case reverseAuthRequest = "reverse auth step 1"
    case reverseAuthAccess = "reverse auth step 2"
    case xAuth = "xAuth"
    case passwordGrant = "password grant"
    case refresh = "refresh"
    case temporaryCredentials = "temporary credentials"
    case tokenCredentials = "token credentials"

    /// The way to a token, and its settings.
    enum Kind {
        case reverseAuth
        case xAuth
        case oauth2
        case threeLegged
    }

    var kind: Kind {
        switch self {
        case .reverseAuth, .reverseAuthRequest, .reverseAuthAccess: .reverseAuth
        case .xAuth: .xAuth
        case .passwordGrant, .refresh: .oauth2
        case .temporaryCredentials, .tokenCredentials: .threeLegged
        }
    }
}

extension ExchangeFailure {
    init(_ step: ExchangeStep, _ cause: Cause, words: String = "") {
        self.init(step: step.rawValue, status: nil, words: words, cause: cause)
    }

    /// The provider's answer is not what the step owes.
    init(_ step: ExchangeStep, _ answer: ProviderAnswer, scrubber: Scrubber) {
        let cause = answer.failureCause(in: step)
        self.init(
            step: step.rawValue,
            status: answer.status,
            words: scrubber.words(of: answer.repeatable(cause)),
            cause: cause
        )
    }
}
