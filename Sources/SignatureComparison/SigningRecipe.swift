import OAuthSigning

/// The way in which some signer makes a signature: the right one at first, until a ``Deviation`` changes it.
///
/// ``Signer`` writes a base string in one pass and cannot be bent; this one is put together from parts that can.
struct SigningRecipe: Sendable {
    var method: [UInt8]
    var uri: RecipeURI
    /// Those of the protocol first, then the query's, then the form's, each as they were received.
    var parameters: [RecipeParameter]
    var order = ParameterOrder.encoded
    /// Of names and values (RFC 5849, section 3.4.1.3.2).
    var parameterEscaping = Escaping()
    /// Of the whole parts of the base string (RFC 5849, section 3.4.1.1).
    var uriEscaping = Escaping()
    var listEscaping = Escaping()
    var key: KeyRecipe
    var signatureMethod: SignatureMethod

    /// RFC 5849, section 3.4.1.1.
    var baseString: [UInt8] {
        let ampersand = [UInt8(ascii: "&")]
        return Escaping().escape(method) + ampersand + uriEscaping.escape(uri.bytes) + ampersand
            + listEscaping.escape(normalizedParameters)
    }

    private var normalizedParameters: [UInt8] {
        let entries = parameters.map { parameter in
            ParameterOrder.Entry(
                parameter: parameter,
                name: parameter.isEncoded ? parameter.name : parameterEscaping.escape(parameter.name),
                value: parameter.isEncoded ? parameter.value : parameterEscaping.escape(parameter.value)
            )
        }
        return Array(order.arranged(entries).map(\.pair).joined(separator: [UInt8(ascii: "&")]))
    }
}

extension SigningRecipe {
    /// The right way to sign a request with protocol parameters that are given.
    init(
        _ request: ComparedRequest,
        protocolParameters: [RecipeParameter],
        key: KeyRecipe,
        signatureMethod: SignatureMethod
    ) {
        method = request.method.map(\.uppercasedASCII)
        uri = RecipeURI(scheme: request.scheme, authority: request.authority, target: request.target)
        parameters = protocolParameters + RecipeParameter.all(in: request.query, origin: .query)
        // A hash of a form covers it as a whole.
        if request.isForm, !protocolParameters.contains(where: { $0.nameText == BodyHash.parameterName }) {
            parameters += RecipeParameter.all(in: request.body, origin: .form)
        }
        self.key = key
        self.signatureMethod = signatureMethod
    }
}
