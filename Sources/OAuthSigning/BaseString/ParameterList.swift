/// The parameters of one request (RFC 5849 §3.4.1.3), decoded and encoded anew as they are read, in one buffer.
struct ParameterList: Sendable {
    private(set) var buffer: OctetBuffer
    private(set) var parameters: [SignedParameter]
    /// Names of parameters of the protocol that came from the query or the form, `oauth_signature` too.
    private(set) var received: [[UInt8]] = []

    /// `%3D`, packed.
    private static let equals = PercentEncoding.word("%3D".utf8)
    private static let signatureName = Array("oauth_signature".utf8)
    /// `oauth_si`
    private static let signaturePrefix: UInt64 = 0x6f61_7574_685f_7369
    /// `oauth_` in the upper octets of a prefix.
    private static let protocolPrefix: UInt64 = 0x6f61_7574_685f

    init(capacity: Int = 512) {
        buffer = OctetBuffer(capacity: capacity)
        parameters = []
        parameters.reserveCapacity(24)
    }

    /// The octets that all parameters take.
    var octetCount: Int { buffer.count }

    /// Takes over parameters that were prepared in a list of their own.
    mutating func append(contentsOf prepared: ParameterList) {
        let offset = buffer.count
        buffer.append(prepared.buffer.storage.span.extracting(first: prepared.buffer.count))
        for var parameter in prepared.parameters {
            parameter.start += offset
            parameters.append(parameter)
        }
    }

    /// Adds one parameter, not encoded.
    mutating func append(name: Span<UInt8>, value: Span<UInt8>, origin: ParameterOrigin) {
        let start = buffer.count
        buffer.append(encoding: name, with: PercentEncoding.double)
        let nameEnd = buffer.count
        buffer.append(packed: Self.equals)
        buffer.append(encoding: value, with: PercentEncoding.double)
        add(start: start, nameEnd: nameEnd, origin: origin)
    }

    mutating func append(_ parameter: ProtocolParameter) {
        append(name: Array(parameter.name.utf8).span, value: Array(parameter.value.utf8).span, origin: .protocol)
    }

    /// Adds one parameter that is encoded once already.
    mutating func append(_ parameter: EncodedParameter) {
        let start = buffer.count
        buffer.append(encoding: parameter.name.span, with: PercentEncoding.single)
        let nameEnd = buffer.count
        buffer.append(packed: Self.equals)
        buffer.append(encoding: parameter.value.span, with: PercentEncoding.single)
        add(start: start, nameEnd: nameEnd, origin: .protocol)
    }

    /// Adds the parameters of a query or a form (W3C.REC-html40 `application/x-www-form-urlencoded`).
    ///
    /// Pairs are separated by `&` alone, and an empty pair is none; a name ends at the first `=`; `+` is a space; what is
    /// no percent-encoding stands for itself, as does any octet. `oauth_signature` is left out (§3.4.1.3.1).
    mutating func append(form: Span<UInt8>, origin: ParameterOrigin) {
        buffer.reserve(5 * form.count + 8)
        var position = 0
        while position < form.count {
            if form[position] == UInt8(ascii: "&") {
                position += 1
                continue
            }
            let start = buffer.count
            let nameEnd = buffer.appendPair(of: form, from: &position, separator: Self.equals)
            add(start: start, nameEnd: nameEnd, origin: origin)
        }
    }

    private mutating func add(start: Int, nameEnd: Int, origin: ParameterOrigin) {
        let name = start..<nameEnd
        let prefix = SignedParameter.prefix(of: name, in: buffer.storage.span)
        if origin != .protocol, prefix >> 16 == Self.protocolPrefix {
            received.append(Array(buffer.storage[name]))
            if prefix == Self.signaturePrefix, buffer.holds(Self.signatureName, at: name) { return }
        }
        let parameter = SignedParameter(
            prefix: prefix,
            start: start,
            nameCount: nameEnd - start,
            count: buffer.count - start,
            origin: origin
        )
        parameters.append(parameter)
    }

    /// Puts the parameters in the order of the base string.
    mutating func sort() {
        var sorted: [SignedParameter] = []
        swap(&sorted, &parameters)
        if sorted.count <= 48 {
            Self.insertionSort(&sorted, in: buffer.storage.span)
        } else {
            let octets = buffer.storage
            sorted.sort { $0.precedes($1, in: octets.span) }
        }
        parameters = sorted
    }

    /// For the few parameters that requests have, most of which are in order already.
    private static func insertionSort(_ parameters: inout [SignedParameter], in octets: Span<UInt8>) {
        for index in parameters.indices.dropFirst() {
            let parameter = parameters[index]
            var hole = index
            while hole > 0, parameter.precedes(parameters[hole - 1], in: octets) {
                parameters[hole] = parameters[hole - 1]
                hole -= 1
            }
            if hole != index { parameters[hole] = parameter }
        }
    }
}
