import Bytes
import OAuthSigning

/// The way in which some signer makes a signature: the right one at first, until a ``Deviation`` changes it.
///
/// ``Signer`` writes a base string in one pass and cannot be bent; this one is put together from parts that can.
struct SigningRecipe: Sendable {
    var method: [UInt8]
    /// Indicates whether the method stands in the base string as it is, not encoded.
    var isMethodRaw = false
    var uri: RecipeURI
    /// The parameters of the protocol first, then the query's, then the form's, each as they were received.
    var parameters: [RecipeParameter]
    var order = ParameterOrder.encoded
    /// The escaping of names and values (RFC 5849, section 3.4.1.3.2).
    var parameterEscaping = Escaping()
    /// The escaping of names, where it is not that of values.
    var nameEscaping: Escaping?
    /// The text between parameters, between name and value, and before the first parameter.
    var separators = (pairs: Array("&".utf8), values: Array("=".utf8), before: [UInt8]())
    /// The escaping of the whole base string URI (RFC 5849, section 3.4.1.1).
    var uriEscaping = Escaping()
    /// The escaping of the whole parameter list, likewise.
    var listEscaping = Escaping()
    /// The text behind the last parameter.
    var behind: [UInt8] = []
    /// The change that is made to the finished base string before it is signed.
    var finish: (@Sendable ([UInt8]) -> [UInt8])?
    var key: KeyRecipe
    var signatureMethod: SignatureMethod

    /// The bytes that are signed.
    var message: [UInt8] { finish?(baseString) ?? baseString }

    /// The base string (RFC 5849, section 3.4.1.1).
    var baseString: [UInt8] {
        let ampersand = [UInt8(ascii: "&")]
        return (isMethodRaw ? method : Escaping().escape(method)) + ampersand + uriEscaping.escape(uri.bytes)
            + ampersand
            + listEscaping.escape(normalizedParameters)
    }

    private var entries: [ParameterOrder.Entry] {
        let nameEscaping = nameEscaping ?? parameterEscaping
        return order.arranged(
            parameters.map { parameter in
                ParameterOrder.Entry(
                    parameter: parameter,
                    name: parameter.isEncoded ? parameter.name : nameEscaping.escape(parameter.name),
                    value: parameter.isEncoded ? parameter.value : parameterEscaping.escape(parameter.value)
                )
            }
        )
    }

    private var normalizedParameters: [UInt8] {
        var list = separators.before
        for (index, entry) in entries.enumerated() {
            if index > 0, !entry.parameter.isJoined { list += separators.pairs }
            list += entry.name
            if entry.parameter.hasEquals { list += separators.values + entry.value }
        }
        return list + behind
    }

    /// The parameters in the order in which they are signed.
    var orderedParameters: [RecipeParameter] { entries.map(\.parameter) }

    /// Leaves out the `&` before a parameter.
    mutating func joinParameter(named name: [UInt8], value: [UInt8]) {
        guard let index = parameters.firstIndex(where: { $0.name == name && $0.value == value }) else { return }
        parameters[index].isJoined = true
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
