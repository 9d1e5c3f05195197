import OAuthSigning

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
