import Bytes
import OAuthSigning

/// The credential that `paraph verify` lacks to judge a request.
enum MissingCredential: Error, Equatable, CustomStringConvertible {
    case consumerSecret
    case tokenSecret(token: String)
    case publicKey(SignatureMethod)

    var description: String {
        switch self {
        case .consumerSecret: "The consumer secret is missing; give --consumer-secret-env or --consumer-secret-file."
        case .tokenSecret(let token):
            "The request is made for the token \(PrintableText(token, limit: 256, escapesQuotes: false)), whose secret is "
                + "missing; give --token-secret-env or --token-secret-file."
        case .publicKey(let method):
            "The request is signed with \(method.rawValue); give --public-key-file with the signer's key or certificate."
        }
    }
}
