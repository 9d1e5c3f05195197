/// The parameters of a received request, sorted out: those of the protocol, wherever they came, and what must be
/// signed.
struct ReceivedParameters: Sendable {
    /// Of the `Authorization` field, and the `oauth_` ones of query and form, decoded.
    private(set) var ofProtocol: [ProtocolParameter] = []
    private(set) var realm: String?
    private let fromField: [(name: [UInt8], value: [UInt8])]

    init(
        authorization: Span<UInt8>?,
        query: [UInt8],
        form: [UInt8]
    ) throws(VerificationFailure) {
        var fromField: [(name: [UInt8], value: [UInt8])] = []
        if let authorization {
            guard let field = AuthorizationField(authorization) else { throw .notSigned }
            fromField = field.parameters
            realm = field.realm.map { String(decoding: $0, as: UTF8.self) }
        }
        self.fromField = fromField
        for (name, value) in fromField { append(name: name, value: value) }
        for pairs in [query, form] {
            for pair in WrittenPair.pairs(of: pairs) {
                let (name, value) = pair.decoded(plusIsSpace: true)
                if name.starts(with: "oauth_".utf8) { append(name: name, value: value) }
            }
        }
        var names: Set<String> = []
        for parameter in ofProtocol where parameter.name.hasPrefix("oauth_") {
            guard names.insert(parameter.name).inserted else { throw .parameterRepeated(name: parameter.name) }
        }
    }

    /// Adds what the `Authorization` field contributes to the base string.
    func addFieldParameters(to list: inout ParameterList) {
        for (name, value) in fromField where !name.elementsEqual("oauth_signature".utf8) {
            list.append(EncodedParameter(name: name, value: value))
        }
    }

    subscript(name: String) -> String? {
        ofProtocol.first { $0.name == name }?.value
    }

    func required(_ name: String) throws(VerificationFailure) -> String {
        guard let value = self[name] else { throw .parameterAbsent(name: name) }
        return value
    }

    private mutating func append(name: [UInt8], value: [UInt8]) {
        let parameter = ProtocolParameter(
            name: String(decoding: name, as: UTF8.self),
            value: String(decoding: value, as: UTF8.self)
        )
        ofProtocol.append(parameter)
    }
}
