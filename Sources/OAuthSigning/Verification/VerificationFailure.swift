/// The reason why a received request's signature is not accepted.
package enum VerificationFailure: Error, Equatable, Sendable {
    /// No `Authorization: OAuth …` and no protocol parameter elsewhere, or a field that cannot be read.
    case notSigned
    case parameterAbsent(name: String)
    /// A protocol parameter occurs more than once (RFC 5849, section 3.1).
    case parameterRepeated(name: String)
    /// A timestamp that is no number, for instance.
    case parameterRejected(name: String)
    case versionRejected
    case signatureMethodRejected
    case consumerKeyUnknown
    case tokenRejected
    /// The body is not the one that was hashed.
    case bodyHashInvalid
    /// The signature is not the right one; with the base string that was expected.
    case signatureInvalid(baseString: String)
}

extension VerificationFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSigned: "The request is not signed with OAuth 1.0."
        case .parameterAbsent(let name): "The parameter \(name) is missing."
        case .parameterRepeated(let name): "The parameter \(name) occurs more than once."
        case .parameterRejected(let name): "The value of \(name) is not acceptable."
        case .versionRejected: "Only oauth_version 1.0 is known."
        case .signatureMethodRejected: "The signature method is not accepted for this client."
        case .consumerKeyUnknown: "The consumer key is not known."
        case .tokenRejected: "The token is not known."
        case .bodyHashInvalid: "oauth_body_hash does not match the body."
        case .signatureInvalid: "The signature does not match the request."
        }
    }

    /// The word of the OAuth Problem Reporting extension.
    package var label: String {
        switch self {
        case .notSigned, .parameterAbsent: "parameter_absent"
        case .parameterRepeated, .parameterRejected, .bodyHashInvalid: "parameter_rejected"
        case .versionRejected: "version_rejected"
        case .signatureMethodRejected: "signature_method_rejected"
        case .consumerKeyUnknown: "consumer_key_unknown"
        case .tokenRejected: "token_rejected"
        case .signatureInvalid: "signature_invalid"
        }
    }
}
