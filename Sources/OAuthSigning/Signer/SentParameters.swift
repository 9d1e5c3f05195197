/// The protocol parameters that every request of an account carries, as they are sent.
struct SentParameters: Sendable {
    let parameters: [SentParameter]
    /// All that is sent with a request that has no further parameters.
    let template: SentTemplate

    init(_ parameters: [SentParameter], _ options: SigningOptions, opening: [UInt8]) {
        self.parameters = parameters
        template =
            switch options.placement {
            case .header: SentTemplate(.header, opening: opening, parameters: parameters)
            case .query, .body: SentTemplate(.form, parameters: parameters)
            }
    }
}

/// One protocol parameter that every request carries, its name encoded once.
struct SentParameter: Sendable {
    enum Value: Sendable {
        /// Encoded once.
        case constant([UInt8])
        case variable(SentTemplate.Variable)
    }

    let name: [UInt8]
    let value: Value

    init(_ parameter: EncodedParameter) {
        name = parameter.name
        value = .constant(parameter.value)
    }

    /// - Parameter name: One that needs no encoding.
    init(name: String, variable: SentTemplate.Variable) {
        self.name = Array(name.utf8)
        value = .variable(variable)
    }
}
