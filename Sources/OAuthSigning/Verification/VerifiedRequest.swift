/// A request whose signature is right.
package struct VerifiedRequest: Sendable {
    package let consumerKey: String
    /// The token that the request names; nil without one, or with an empty one.
    package let token: String?
    package let signatureMethod: SignatureMethod
    package let realm: String?
    /// All `oauth_` parameters and whatever else the `Authorization` field had, decoded, in the order in which they
    /// came.
    package let protocolParameters: [ProtocolParameter]
    /// The base string that was recomputed from the received bytes.
    package let baseString: String

    /// The value of the first protocol parameter of that name.
    package subscript(name: String) -> String? {
        protocolParameters.first { $0.name == name }?.value
    }
}
