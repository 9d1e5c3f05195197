extension ExchangeFailure {
    /// What went wrong, as far as it can be told. The raw values are labels.
    package enum Cause: String, Sendable, CaseIterable {
        case settings = "exchange_settings"
        case vaultUnreadable = "vault_unreadable"
        case unreachable = "exchange_unreachable"
        case signatureRefused = "exchange_signature_refused"
        case notPermitted = "exchange_not_permitted"
        case tokenRefused = "exchange_token_refused"
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

        /// What it means, and the remedy.
        var sentence: String {
            switch self {
            case .settings:
                "The request could not be made; check the two URLs and the credentials of this account's reverse_auth."
            case .vaultUnreadable:
                "What the vault holds for this account cannot be used, and the provider was not asked."
            case .unreachable:
                "The provider was not reached; check its address, the network, and the TLS policy of this API."
            case .signatureRefused:
                "The provider does not accept the signature; check the consumer key and secret (step 1), and the four "
                    + "values of signed_as (step 2)."
            case .notPermitted:
                "The application is not permitted to use reverse auth; ask the provider to allow it for this consumer "
                    + "key."
            case .tokenRefused:
                "The platform account's token is not valid any more; put a new token and token_secret in signed_as."
            case .clockRefused:
                "The provider does not accept the time; set this machine's clock."
            case .parametersRefused:
                "The provider does not accept step 1's answer from this platform account; check that consumer_key is "
                    + "the application's own and that signed_as is an account the provider lets vouch for users."
            case .limited:
                "The provider allows no more requests for now; wait."
            case .redirected:
                "The answer is a redirect, which is never followed; configure the URL that it points to."
            case .providerFailed:
                "The provider failed; nothing is wrong here that is known. Wait."
            case .refused:
                "The provider refused; check the URLs and the credentials of this account's reverse_auth."
            case .emptyAnswer:
                "The answer is empty; check that the URL is the provider's own token endpoint."
            case .pageAnswered:
                "The answer is a web page and no token; check that the URL is the provider's own token endpoint."
            case .unexpectedAnswer:
                "The answer is not what this step owes; check that the URL is the provider's token endpoint for it."
            case .oversizedAnswer:
                "The answer is too large for a token; check that the URL is the provider's own token endpoint."
            }
        }
    }
}
