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
        /// A constant value, encoded once.
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

/// The protocol parameters as they are sent, ready but for what each account or each request has its own of.
struct SentTemplate: Sendable {
    /// A value that each account or each request has its own of.
    enum Variable: Sendable {
        case token
        case nonce
        case timestamp
        case signature
    }

    /// The way in which names and values are put together.
    enum Syntax: Sendable {
        /// `name="value", name="value"` (RFC 5849, section 3.5.1).
        case header
        /// `name=value&name=value` (RFC 5849, sections 3.5.2 and 3.5.3).
        case form
    }

    /// All but the variables.
    private var literal: [UInt8]
    /// The offset in ``literal`` at which each variable stands.
    private var gaps: [(offset: Int, variable: Variable)] = []

    /// The bytes of all but the variables.
    var byteCount: Int { literal.count }

    /// - Parameters:
    ///   - opening: The bytes before the first parameter.
    ///   - parameters: The parameters in any order; they are sent in that of their names.
    init(_ syntax: Syntax, opening: [UInt8] = [], parameters: [SentParameter]) {
        let isHeader = syntax == .header
        literal = opening
        for (index, parameter) in parameters.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }).enumerated() {
            if index > 0 { literal += isHeader ? ", ".utf8 : "&".utf8 }
            literal += parameter.name
            literal += isHeader ? "=\"".utf8 : "=".utf8
            switch parameter.value {
            case .constant(let value): literal += value
            case .variable(let variable): gaps.append((literal.count, variable))
            }
            if isHeader { literal += "\"".utf8 }
        }
    }

    /// Appends all parameters; the variables are given not encoded.
    func write(
        to buffer: inout WordBuffer,
        token: [UInt8]?,
        nonce: Span<UInt8>,
        timestamp: Span<UInt8>,
        signature: Span<UInt8>
    ) {
        let literal = literal.span
        var written = 0
        for gap in gaps {
            buffer.append(literal.extracting(written..<gap.offset))
            written = gap.offset
            switch gap.variable {
            case .token:
                if let token { buffer.append(encoding: token.span, with: EncodingTables.single) }
            case .nonce: buffer.append(encoding: nonce, with: EncodingTables.single)
            case .timestamp: buffer.append(encoding: timestamp, with: EncodingTables.single)
            case .signature: buffer.append(encoding: signature, with: EncodingTables.single)
            }
        }
        buffer.append(literal.extracting(written...))
    }
}
