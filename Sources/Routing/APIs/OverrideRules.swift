import Bytes

/// The fields and parameters by which frameworks let a request have another method, or another path, than its first
/// line says: those that the rules of an API would be passed by with.
package struct OverrideRules: Sendable {
    private static let methodFields = [
        "x-http-method-override", "x-http-method", "x-method-override", "http-method-override", "x-http-verb",
        "x-http-verb-override",
    ]
    private static let pathFields = ["x-original-url", "x-original-uri", "x-rewrite-url", "x-http-path-override"]
    private static let methodParameters = ["-method"] + methodFields

    private let fields: [String]
    private let parameters: [String]

    /// Makes the rules that go with those of an API; nil for an API without rules.
    init?(methods: [String]?, paths: [String]?) {
        guard methods != nil || paths != nil else { return nil }
        fields = (methods == nil ? [] : Self.methodFields) + (paths == nil ? [] : Self.pathFields)
        parameters = methods == nil ? [] : Self.methodParameters
    }

    /// Returns the name of the field that is one of them, in lower case and with hyphens; nil if it is none.
    ///
    /// The names of CGI's variables have underscores for hyphens, and for some servers for any other character that is
    /// neither letter nor digit (RFC 3875, section 4.1.18).
    package func field(named name: Span<UInt8>) -> String? {
        fields.first { Self.folded(name, is: $0) }
    }

    /// Returns whether the query of a request-target has a parameter that is one of them (`_method`). PHP's names have
    /// underscores for dots, blanks and brackets, and no blanks before them.
    func hasParameter(_ target: Span<UInt8>) -> Bool {
        guard !parameters.isEmpty, var start = target.indices.first(where: { target[$0] == UInt8(ascii: "?") }) else {
            return false
        }
        while start < target.count {
            start += 1
            var end = start
            var isName = true
            var name: [UInt8] = []
            while end < target.count, target[end] != UInt8(ascii: "&"), target[end] != UInt8(ascii: ";") {
                if target[end] == UInt8(ascii: "=") { isName = false }
                if isName { name.append(target[end]) }
                end += 1
            }
            let decoded = Self.decoded(name)
            if parameters.contains(where: { Self.folded(decoded.span, is: $0) }) { return true }
            start = end
        }
        return false
    }

    /// Returns a name without its percent-encoding, without what some readers cut off behind a byte 0, and without
    /// blanks before it.
    private static func decoded(_ name: [UInt8]) -> [UInt8] {
        let bytes = PercentEncoding.decodeLeniently(name.span)
        return Array(bytes.prefix { $0 != 0 }.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") })
    }

    private static func folded(_ name: Span<UInt8>, is known: String) -> Bool {
        let known = known.utf8Span.span
        guard name.count == known.count else { return false }
        return name.indices.allSatisfy { index in
            (name[index].isLetterOrDigit ? name[index] | 0x20 : UInt8(ascii: "-")) == known[index]
        }
    }
}
