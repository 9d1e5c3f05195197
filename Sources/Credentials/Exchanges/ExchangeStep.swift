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
