import Bytes

/// The signature base string (RFC 5849, section 3.4.1.1), written behind its own parameters in one buffer.
struct BaseString: Sendable {
    /// With the base string behind the parameters.
    let list: ParameterList
    private let start: Int

    private var buffer: WordBuffer { list.buffer }
    /// In the order in which they were signed.
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

    /// Of bytes that are encoded twice.
    private func encodedOnce(_ range: Range<Int>) -> String {
        String(decoding: PercentEncoding.decodeLeniently(buffer.storage.span.extracting(range)), as: UTF8.self)
    }
}
