import Bytes

/// The parameters of one request (RFC 5849, section 3.4.1.3), decoded and encoded anew as they are read, in one buffer;
/// in the end with the signature base string behind them.
struct ParameterList: Sendable {
    private(set) var buffer = WordBuffer()
    private(set) var parameters: [SignedParameter] = []
    /// Names of parameters of the protocol that came from the query or the form, `oauth_signature` too.
    private(set) var received: [[UInt8]] = []

    private static let ampersand = EncodingTables.word("&".utf8)
    private static let signatureName = Array("oauth_signature".utf8)
    /// `oauth_`, as the upper bytes of a parameter's prefix.
    private static let protocolPrefix: UInt64 = 0x6f61_7574_685f

    /// An empty list without room.
    init() {}

    /// - Parameter capacity: The room in bytes, encoded; the list grows beyond it where it must.
    init(capacity: Int) {
        reset(capacity: capacity)
    }

    /// Empties the list and keeps its room.
    mutating func reset(capacity: Int) {
        buffer.clear()
        buffer.reserve(capacity)
        parameters.removeAll(keepingCapacity: true)
        parameters.reserveCapacity(20)
        received.removeAll()
    }

    /// The bytes that all parameters take, before ``appendBaseString(method:scheme:authority:target:)``.
    var byteCount: Int { buffer.count }

    /// Takes over parameters that were prepared in a list of their own.
    mutating func append(contentsOf prepared: ParameterList) {
        let offset = buffer.count
        buffer.append(prepared.buffer.storage.span.extracting(first: prepared.buffer.count))
        for parameter in prepared.parameters { parameters.append(parameter.moved(by: offset)) }
    }

    /// Adds a parameter of the protocol whose name needs no encoding.
    mutating func append(plainName name: [UInt8], value: Span<UInt8>) {
        parameters.append(
            buffer.append(name: name.span, value: value, encodedWith: EncodingTables.double, origin: .protocol)
        )
    }

    /// Adds a parameter of the protocol.
    mutating func append(_ parameter: EncodedParameter) {
        let name = PercentEncoding.encode(parameter.name)
        parameters.append(
            buffer.append(
                name: name.span,
                value: parameter.value.span,
                encodedWith: EncodingTables.single,
                origin: .protocol
            )
        )
    }

    /// Adds the parameters of a query or a form (W3C.REC-html40 `application/x-www-form-urlencoded`).
    ///
    /// Pairs are separated by `&` alone, and an empty pair is none; a name ends at the first `=`; `+` is a space; what
    /// is no percent-encoding stands for itself, as does any byte. `oauth_signature` is left out (RFC 5849, section
    /// 3.4.1.3.1).
    mutating func append(form: Span<UInt8>, origin: ParameterOrigin) {
        var found: [SignedParameter] = []
        swap(&found, &parameters)
        let before = found.count
        buffer.append(form: form, to: &found, origin: origin)
        swap(&found, &parameters)
        for parameter in parameters[before...] where parameter.prefix >> 16 == Self.protocolPrefix {
            received.append(Array(buffer.storage[parameter.name]))
        }
        if received.contains(Self.signatureName) {
            parameters.removeAll { $0.origin == origin && buffer.storage[$0.name] == Self.signatureName[...] }
        }
    }

    /// Puts the parameters in the order of the base string.
    mutating func sort() {
        var sorted: [SignedParameter] = []
        swap(&sorted, &parameters)
        switch sorted.count {
        case ...16: Self.insertionSort(&sorted, in: buffer.storage.span)
        case ...64: Self.sortPlaces(&sorted, in: buffer.storage.span)
        default:
            let bytes = buffer.storage
            sorted.sort { $0.precedes($1, in: bytes.span) }
        }
        swap(&sorted, &parameters)
    }

    /// Puts the parameters in their order, and writes the signature base string behind them. Nothing may be added then.
    ///
    /// - Parameter target: Origin-form; empty and `*` stand for the path `/`.
    /// - Returns: Where in the buffer it begins.
    mutating func appendBaseString(
        method: Span<UInt8>,
        scheme: Span<UInt8>,
        authority: Span<UInt8>,
        target: Span<UInt8>
    ) -> Int {
        sort()
        let start = buffer.count
        buffer.append(encoding: method, with: EncodingTables.singleUppercased)
        buffer.append(packed: Self.ampersand)
        buffer.appendBaseStringURI(scheme: scheme, authority: authority, target: target)
        buffer.append(packed: Self.ampersand)
        buffer.append(joining: parameters)
        return start
    }

    /// Sorts the few parameters that most requests have.
    private static func insertionSort(_ parameters: inout [SignedParameter], in bytes: Span<UInt8>) {
        for index in parameters.indices.dropFirst() {
            let parameter = parameters[index]
            var hole = index
            while hole > 0, parameter.precedes(parameters[hole - 1], in: bytes) {
                parameters[hole] = parameters[hole - 1]
                hole -= 1
            }
            if hole != index { parameters[hole] = parameter }
        }
    }

    /// Moves what decides the order about, and each parameter only once.
    private static func sortPlaces(_ parameters: inout [SignedParameter], in bytes: Span<UInt8>) {
        var places: [(prefix: UInt64, index: Int)] = []
        places.reserveCapacity(parameters.count)
        for index in parameters.indices {
            let place = (prefix: parameters[index].prefix, index: index)
            places.append(place)
            var hole = index
            while hole > 0 {
                let before = places[hole - 1]
                guard
                    place.prefix < before.prefix
                        || (place.prefix == before.prefix
                            && parameters[index].precedes(parameters[before.index], in: bytes))
                else { break }
                places[hole] = before
                hole -= 1
            }
            if hole != index { places[hole] = place }
        }
        parameters = places.map { parameters[$0.index] }
    }
}
