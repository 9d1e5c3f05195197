/// The reason why a request, or an account's settings, cannot be signed.
package enum SigningError: Error, Equatable, Sendable {
    /// An RSA method without a private key.
    case privateKeyMissing
    /// Neither PKCS#1 nor PKCS#8 PEM, or encrypted.
    case privateKeyUnreadable
    /// The private key has fewer than 1024 bits.
    case privateKeyTooSmall
    /// No SubjectPublicKeyInfo or PKCS#1 PEM of 1024 bits or more.
    case publicKeyUnreadable
    case signatureFailed
    /// A realm with bytes that no quoted-string can carry.
    case realmNotSendable
    /// A realm without the field that carries it.
    case realmNeedsHeader
    /// `body_hash: always` with the protocol parameters in the body.
    case bodyHashInBody
    /// The placement in the body, of a request that has none or one that is not a form.
    case formBodyRequired
    /// The placement in the query, of an asterisk-form request-target.
    case targetTakesNoQuery
    /// RFC 5849, section 3.1: a protocol parameter must not occur more than once. The name is one of those the signer
    /// adds.
    case repeatedParameter(name: String)
    /// A further protocol parameter that is empty, `realm` or `oauth_signature`.
    case parameterNotSendable(name: String)
}

extension SigningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .privateKeyMissing:
            "This signature method needs an RSA private key and the account has none; set private_key."
        case .privateKeyUnreadable:
            """
            The RSA private key cannot be read; give it as unencrypted PEM, PKCS#1 (BEGIN RSA PRIVATE KEY) or PKCS#8 \
            (BEGIN PRIVATE KEY).
            """
        case .privateKeyTooSmall:
            "The RSA private key has fewer than 1024 bits; use a key of 2048 bits or more."
        case .publicKeyUnreadable:
            """
            The RSA public key cannot be read; give it as PEM (BEGIN PUBLIC KEY or BEGIN RSA PUBLIC KEY), of 1024 bits or \
            more.
            """
        case .signatureFailed:
            "The RSA private key could not sign this request; check that the key is whole."
        case .realmNotSendable:
            "The realm contains a control character, which no header field can carry; remove it."
        case .realmNeedsHeader:
            "A realm is sent in the Authorization field only; remove it or place the parameters in the header."
        case .bodyHashInBody:
            """
            A body cannot carry its own hash; place the parameters in the header or the query, or do not ask for a hash \
            of every body.
            """
        case .formBodyRequired:
            """
            The protocol parameters are placed in the form body and this request has none; send a form \
            (application/x-www-form-urlencoded) or place them in the header.
            """
        case .targetTakesNoQuery:
            "The request-target * takes no query; place the protocol parameters in the header."
        case .repeatedParameter(let name):
            "\(name) would be sent twice: it is added when the request is signed; leave it out of query, form and extras."
        case .parameterNotSendable(let name):
            name.isEmpty
                ? "A protocol parameter has no name; give it one."
                : "\(name) cannot be given as a further protocol parameter; it has a meaning of its own."
        }
    }
}
