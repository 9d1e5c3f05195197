package import OAuthSigning

/// The reason why the provider refuses a request.
package enum ProviderRefusal: Error, Sendable, Equatable {
    case verification(VerificationFailure)
    /// Seconds since 1970: what would have been accepted.
    case timestampRefused(acceptable: ClosedRange<UInt64>)
    case nonceUsed
    /// The value is another than the provider's, or missing.
    case realmRejected(expected: String)
    /// The token was issued to another client.
    case tokenOfOtherClient
    case tokenExpired
    case tokenRevoked
    /// Temporary credentials that have led to a token, or that were given up after a wrong verifier.
    case tokenUsed
    case verifierInvalid
    /// No user has approved the temporary credentials yet.
    case notApproved
    /// The user has refused.
    case approvalDenied
    case callbackRejected
    /// Step 1 of reverse auth carries a token, or does not say `x_auth_mode=reverse_auth`.
    case notReverseAuth
    /// Step 2 is not signed by a platform account, or `x_reverse_auth_target` and `x_reverse_auth_parameters` are not
    /// what step 1 led to.
    case reverseAuthInvalid
    /// The user name or the password of xAuth, or of the page where a user approves.
    case loginFailed
    case userAgentMissing
    /// OAuth 2's token endpoint.
    case grant(GrantRefusal)
    /// A resource that needs an access token.
    case accessToken(AccessTokenRefusal)

    /// The word of the OAuth Problem Reporting extension, or of the RFC that has one for it.
    package var problem: String {
        switch self {
        case .verification(let failure): failure.label
        case .timestampRefused: "timestamp_refused"
        case .nonceUsed: "nonce_used"
        case .tokenOfOtherClient: "token_rejected"
        case .tokenExpired: "token_expired"
        case .tokenRevoked: "token_revoked"
        case .tokenUsed: "token_used"
        case .verifierInvalid: "verifier_invalid"
        case .notApproved: "permission_unknown"
        case .approvalDenied, .reverseAuthInvalid, .loginFailed: "permission_denied"
        case .realmRejected, .callbackRejected, .notReverseAuth, .userAgentMissing: "parameter_rejected"
        case .grant(let refusal): refusal.error
        case .accessToken(let refusal): refusal.error ?? "parameter_absent"
        }
    }

    /// Indicates whether the token is to blame, and another one might do.
    var isAboutToken: Bool {
        switch self {
        case .verification(.tokenRejected), .tokenOfOtherClient, .tokenExpired, .tokenRevoked, .tokenUsed: true
        default: false
        }
    }
}

extension ProviderRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .verification(let failure): failure.description
        case .timestampRefused(let acceptable):
            "The timestamp is not between \(acceptable.lowerBound) and \(acceptable.upperBound)."
        case .nonceUsed: "The nonce was used before."
        case .realmRejected(let expected): "The realm is not \(expected)."
        case .tokenOfOtherClient: "The token was issued to another client."
        case .tokenExpired: "The token has expired."
        case .tokenRevoked: "The token was revoked."
        case .tokenUsed: "The temporary credentials were used before."
        case .verifierInvalid: "The verifier is not the one that was given out."
        case .notApproved: "No user has approved the temporary credentials."
        case .approvalDenied: "The user has refused."
        case .callbackRejected: "The callback is neither oob nor an absolute address, or is not allowed."
        case .notReverseAuth: "Step 1 must say x_auth_mode=reverse_auth and carry no token."
        case .reverseAuthInvalid: "Step 2 does not fit a step 1, or its account may not vouch for users."
        case .loginFailed: "There is no user with this name and password."
        case .userAgentMissing: "The request has no User-Agent."
        case .grant(let refusal): refusal.description
        case .accessToken(let refusal): refusal.description
        }
    }
}

extension ProviderRefusal {
    /// The parameters of the OAuth Problem Reporting extension.
    var problemPairs: [(name: String, value: String)] {
        var pairs = [("oauth_problem", problem)]
        switch self {
        case .timestampRefused(let acceptable):
            pairs.append(("oauth_acceptable_timestamps", "\(acceptable.lowerBound)-\(acceptable.upperBound)"))
        case .verification(.parameterAbsent(let name)): pairs.append(("oauth_parameters_absent", name))
        case .verification(.parameterRejected(let name)), .verification(.parameterRepeated(let name)):
            pairs.append(("oauth_parameters_rejected", name))
        case .verification(.versionRejected): pairs.append(("oauth_acceptable_versions", "1.0-1.0"))
        case .verification(.bodyHashInvalid): pairs.append(("oauth_parameters_rejected", "oauth_body_hash"))
        case .realmRejected: pairs.append(("oauth_parameters_rejected", "realm"))
        case .callbackRejected: pairs.append(("oauth_parameters_rejected", "oauth_callback"))
        default: break
        }
        return pairs
    }

    /// 400 for what cannot be right whoever sends it, 401 for the rest (OAuth Core 1.0, section 10).
    var problemStatus: Int {
        switch problem {
        case "version_rejected", "parameter_absent", "parameter_rejected", "timestamp_refused",
            "signature_method_rejected":
            400
        default: 401
        }
    }
}
