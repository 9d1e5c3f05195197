package import OAuthSigning

/// Why the provider refuses a request.
package enum ProviderRefusal: Error, Sendable, Equatable {
    case verification(VerificationFailure)
    /// Seconds since 1970: what would have been accepted.
    case timestampRefused(acceptable: ClosedRange<UInt64>)
    case nonceUsed
    /// The token was issued to another client.
    case tokenOfOtherClient
    /// Step 1 carries a token, or does not say `x_auth_mode=reverse_auth`.
    case notReverseAuth
    /// Step 2 is not signed by a platform account, or `x_reverse_auth_target` and `x_reverse_auth_parameters` are not
    /// what step 1 led to.
    case reverseAuthInvalid

    /// The word of the OAuth Problem Reporting extension.
    package var problem: String {
        switch self {
        case .verification(let failure): failure.label
        case .timestampRefused: "timestamp_refused"
        case .nonceUsed: "nonce_used"
        case .tokenOfOtherClient: "token_rejected"
        case .notReverseAuth: "parameter_rejected"
        case .reverseAuthInvalid: "permission_denied"
        }
    }

    /// X's number for it.
    package var code: Int {
        switch self {
        case .verification(.notSigned), .verification(.parameterAbsent): 215
        case .verification(.tokenRejected), .tokenOfOtherClient: 89
        case .verification, .nonceUsed: 32
        case .timestampRefused: 135
        case .notReverseAuth, .reverseAuthInvalid: 87
        }
    }

    /// X's words for it.
    package var message: String {
        switch code {
        case 215: "Bad Authentication data."
        case 89: "Invalid or expired token."
        case 135: "Timestamp out of bounds."
        case 87: "Client is not permitted to perform this action."
        default: "Could not authenticate you."
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
        case .tokenOfOtherClient: "The token was issued to another client."
        case .notReverseAuth: "Step 1 must say x_auth_mode=reverse_auth and carry no token."
        case .reverseAuthInvalid: "Step 2 does not fit a step 1, or its account may not vouch for users."
        }
    }
}
