import Bytes

/// The value of an `Authorization` field of the scheme `OAuth` (RFC 5849, section 3.5.1).
package struct AuthorizationField: Sendable {
    /// The pairs in the order of the field, without the realm.
    package private(set) var written: [WrittenPair] = []
    package private(set) var realm: [UInt8]?

    /// Nil for another scheme; malformed pairs make it nil too.
    package init?(_ value: Span<UInt8>) {
        var scanner = Scanner(bytes: value.array[...])
        guard scanner.skipScheme() else { return nil }
        while !scanner.isAtEnd {
            guard let name = scanner.name(), let value = scanner.quotedValue() else { return nil }
            if name.lazy.map(\.lowercasedASCII).elementsEqual("realm".utf8) {
                realm = value
            } else {
                written.append(WrittenPair(name: Array(name), value: value))
            }
            guard scanner.skipComma() else { return nil }
        }
    }

    /// ``written``, decoded.
    var parameters: [(name: [UInt8], value: [UInt8])] { written.map { $0.decoded(plusIsSpace: false) } }
}

/// Reads `auth-param`s (RFC 9110, section 11.2).
private struct Scanner {
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skipScheme() -> Bool {
        skipWhitespace()
        let scheme = bytes.prefix(6).map(\.lowercasedASCII)
        guard scheme.elementsEqual("oauth ".utf8) else { return false }
        bytes = bytes.dropFirst(6)
        skipWhitespace()
        return true
    }

    /// A name and the `=` after it.
    mutating func name() -> ArraySlice<UInt8>? {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = bytes[..<equals]
        bytes = bytes[(equals + 1)...]
        return name.isEmpty || name.contains(where: \.isOptionalWhitespace) ? nil : name
    }

    mutating func quotedValue() -> [UInt8]? {
        guard bytes.popFirst() == UInt8(ascii: "\"") else { return nil }
        var value: [UInt8] = []
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = bytes.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        return nil
    }

    /// A comma, or the end.
    mutating func skipComma() -> Bool {
        skipWhitespace()
        if bytes.isEmpty { return true }
        guard bytes.popFirst() == UInt8(ascii: ",") else { return false }
        skipWhitespace()
        return true
    }

    private mutating func skipWhitespace() {
        bytes = bytes.drop(while: \.isOptionalWhitespace)
    }
}
