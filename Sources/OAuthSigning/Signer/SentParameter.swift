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
