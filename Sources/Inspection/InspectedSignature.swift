import Bytes

/// The signature of one request, with every token and every value of a secret's name blotted out.
package struct InspectedSignature: Sendable {
    /// One parameter of the base string, encoded once.
    package struct Parameter: Sendable {
        package var name: String
        package var value: String
        /// The place that it came from: one of a bounded set.
        package var origin: String

        package init(name: String, value: String, origin: String) {
            self.name = name
            self.value = value
            self.origin = origin
        }
    }

    /// The value of `oauth_signature_method`.
    package var method: String
    /// The base string URI (RFC 5849, section 3.4.1.2); nil for PLAINTEXT, which signs no base string.
    package var baseStringURI: String?
    /// The parameters in the order of the base string; those of the protocol alone where there is none. Long names and
    /// values are cut, and end in `…` then.
    package var parameters: [Parameter]
    /// The number of parameters that came after these.
    package var parametersLeftOut: Int
    /// Indicates whether a name or a value is cut, or parameters are left out.
    package var isCut: Bool
    /// The `Authorization` field's value; empty when the parameters are placed elsewhere.
    package var authorization: String

    package init(
        method: String,
        baseStringURI: String?,
        parameters: [Parameter],
        parametersLeftOut: Int = 0,
        isCut: Bool = false,
        authorization: String
    ) {
        self.method = method
        self.baseStringURI = baseStringURI
        self.parameters = parameters
        self.parametersLeftOut = parametersLeftOut
        self.isCut = isCut
        self.authorization = authorization
    }

    var json: JSONText {
        .object([
            ("method", .string(method)), ("base_string_uri", .string(baseStringURI)),
            (
                "parameters",
                .array(
                    parameters.map { parameter in
                        .object([
                            ("name", .string(parameter.name)), ("value", .string(parameter.value)),
                            ("origin", .string(parameter.origin)),
                        ])
                    }
                )
            ), ("parameters_left_out", .integer(parametersLeftOut)), ("cut", .boolean(isCut)),
            ("authorization", .string(authorization)),
        ])
    }

    var cost: Int {
        parameters.reduce(method.utf8.count + (baseStringURI?.utf8.count ?? 0) + authorization.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 48
        }
    }
}
