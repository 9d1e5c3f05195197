extension ProviderDiagnosis {
    /// What to do about a cause where the request carried an access token: there is no signature that could be mended.
    /// Nil where it makes no difference.
    func tokenRemedy(of cause: Cause, _ context: Context) -> String? {
        let refused: String
        switch cause {
        case .signatureInvalid:
            return "Signature invalid: requests of \(context.name) have none but their token's own, so that the token "
                + "is wrong. \(Self.renewal(context))"
        case .credentialsMissing:
            return "The provider saw no credentials that it understands: check whether it takes access tokens in "
                + "Authorization, and whether something on the way drops that field."
        case .consumerKeyUnknown:
            return "Consumer key unknown: the token of \(context.name) is not of an application that this host knows."
        case .timestampRefused: refused = "Timestamp refused"
        case .nonceUsed: refused = "Nonce used"
        case .signatureMethodRejected: refused = "Signature method refused"
        case .bodyHashWrong: refused = "Body hash wrong"
        case .versionRejected: refused = "Version refused"
        case .parameterAbsent: refused = "Parameters missing"
        case .parameterRejected: refused = "Parameters refused"
        case .consumerKeyRefused, .tokenRefused, .verifierRefused, .realmWrong, .permissionDenied, .accountLocked,
            .limited, .unknown:
            return nil
        }
        return "\(refused): the provider looks for a signature, but requests of \(context.name) carry an access token. "
            + "If it wants them signed, \(context.api) needs oauth1."
    }
}
