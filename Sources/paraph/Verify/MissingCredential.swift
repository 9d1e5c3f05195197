import Bytes
import OAuthSigning

/// The credential that a command lacks to sign a request, or to judge one.
enum MissingCredential: Error, Equatable, CustomStringConvertible {
    /// Neither an account nor a consumer key.
    case consumer
    /// A configuration is named, and no account of it.
    case account
    case consumerSecret
    case tokenSecret(token: String)
    case publicKey(SignatureMethod)
    /// No key is known, nor would one be of use.
    case otherMethod(SignatureMethod, SignatureMethod)

    var description: String {
        switch self {
        case .consumer: "Give an --account of the configuration, or a --consumer-key."
        case .account: "Name the account of the configuration: --account API/ACCOUNT, such as twitter/default."
        case .consumerSecret:
            "The consumer secret is missing; give --consumer-secret-env or --consumer-secret-file, or --account of the "
                + "configuration."
        case .tokenSecret(let token):
            "The request is made for the token \(PrintableText(token, limit: 256, escapesQuotes: false)), whose secret is "
                + "missing; give --token-secret-env or --token-secret-file."
        case .publicKey(let method):
            "The request is signed with \(method.rawValue); give --public-key-file with the signer's key or certificate."
        case .otherMethod(let method, let other):
            "The request says \(method.rawValue), but its signature is as long as one of \(other.rawValue): have the signer send "
                + "oauth_signature_method=\(other.rawValue), or sign with its private key. paraph explain compares it."
        }
    }
}
