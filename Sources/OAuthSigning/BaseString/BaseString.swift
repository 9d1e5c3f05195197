import Bytes

/// The signature base string (RFC 5849, section 3.4.1.1), written behind its own parameters in one buffer.
struct BaseString: Sendable {
    /// The parameters, with the base string behind them.
    let list: ParameterList
    private let start: Int

    private var buffer: WordBuffer { list.buffer }
    /// The parameters in the order in which they were signed.
    var parameters: [SignedParameter] { list.parameters }
    /// Names of protocol parameters that the query and the form have.
    var received: [[UInt8]] { list.received }

    /// - Parameters:
    ///   - target: Origin-form; empty and `*` stand for the path `/`.
    ///   - list: All parameters, in any order.
    init(
        method: Span<UInt8>,
        scheme: Span<UInt8>,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        list: consuming ParameterList
    ) {
        start = list.appendBaseString(method: method, scheme: scheme, authority: authority, target: target)
        self.list = list
    }

    /// The bytes that are signed.
    var bytes: ArraySlice<UInt8> { list.buffer.storage[start..<list.buffer.count] }

    package var text: String { buffer.text(start..<buffer.count) }

    /// The base string URI, not encoded.
    var uri: String {
        let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: 2, omittingEmptySubsequences: false)
        return String(decoding: PercentEncoding.decodeLeniently(Array(parts[1]).span), as: UTF8.self)
    }

    var explainedParameters: [ExplainedParameter] {
        parameters.map { parameter in
            ExplainedParameter(
                name: encodedOnce(parameter.name),
                value: encodedOnce(parameter.value),
                origin: parameter.origin
            )
        }
    }

    /// Returns the text of bytes that are encoded twice, encoded once.
    private func encodedOnce(_ range: Range<Int>) -> String {
        String(decoding: PercentEncoding.decodeLeniently(buffer.storage.span.extracting(range)), as: UTF8.self)
    }
}

extension WordBuffer {
    /// `://` and `/`, encoded once.
    private static let schemeEnd = Array("%3A%2F%2F".utf8)
    private static let slash = EncodingTables.word("%2F".utf8)

    /// Appends the base string URI (RFC 5849, section 3.4.1.2), percent-encoded: scheme and host in lower case, the
    /// port unless it is the scheme's own, the path as it is and `/` where there is none.
    mutating func appendBaseStringURI(scheme: Span<UInt8>, authority: Span<UInt8>, target: Span<UInt8>) {
        append(encoding: scheme, with: EncodingTables.singleLowercased)
        append(Self.schemeEnd)
        let host = authority.extracting(first: authority.countWithoutDefaultPort(of: scheme))
        append(encoding: host, with: EncodingTables.singleLowercased)
        let pathCount = target.pathCount
        if pathCount == 0 || (target.count == 1 && target[0] == UInt8(ascii: "*")) {
            append(packed: Self.slash)
        } else {
            append(encoding: target.extracting(first: pathCount), with: EncodingTables.single)
        }
    }
}

extension Span<UInt8> {
    /// The number of bytes of a request-target before the first `?`.
    package var pathCount: Int {
        for index in indices where self[index] == UInt8(ascii: "?") { return index }
        return count
    }

    /// Returns the number of bytes of an authority to keep when a port that is empty, or the scheme's own, is dropped.
    package func countWithoutDefaultPort(of scheme: Span<UInt8>) -> Int {
        var index = count
        var port = 0
        var scale = 1
        while index > 0 {
            index -= 1
            let byte = self[index]
            if byte == UInt8(ascii: ":") {
                let digits = count - index - 1
                return digits == 0 || port == URIScheme(name: scheme)?.defaultPort ? index : count
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return count }
            guard digit == 0 || scale <= 10000 else { return count }
            port += Int(digit) * scale
            if scale <= 10000 { scale *= 10 }
        }
        return count
    }
}
