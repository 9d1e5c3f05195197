import Bytes

/// The value of an `Authorization` field of the scheme `OAuth` (RFC 5849, section 3.5.1).
package struct AuthorizationField: Sendable {
    /// The pairs in the order of the field, without the realm.
    package private(set) var written: [WrittenPair] = []
    package private(set) var realm: [UInt8]?

    /// Nil for another scheme.
    ///
    /// - Throws: ``AuthorizationFieldFault`` where the pairs are malformed.
    package init?(_ value: Span<UInt8>) throws(AuthorizationFieldFault) {
        var scanner = Scanner(bytes: value.array[...])
        guard scanner.skipScheme() else { return nil }
        while !scanner.isAtEnd {
            let name = try scanner.name()
            let value = try scanner.quotedValue(of: name)
            if name.lazy.map(\.lowercasedASCII).elementsEqual("realm".utf8) {
                realm = value
            } else {
                written.append(WrittenPair(name: Array(name), value: value))
            }
            try scanner.skipComma(after: name)
        }
    }

    /// ``written``, decoded.
    var parameters: [(name: [UInt8], value: [UInt8])] { written.map { $0.decoded(plusIsSpace: false) } }
}

/// Reads `auth-param`s (RFC 9110, section 11.2).
private struct Scanner {
    private static let longestName = 64

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
    mutating func name() throws(AuthorizationFieldFault) -> ArraySlice<UInt8> {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { throw fault(.equalsMissing) }
        let name = bytes[..<equals]
        if name.isEmpty { throw fault(.nameEmpty) }
        if name.contains(where: \.isOptionalWhitespace) { throw fault(.blankBeforeEquals) }
        bytes = bytes[(equals + 1)...]
        return name
    }

    mutating func quotedValue(of name: ArraySlice<UInt8>) throws(AuthorizationFieldFault) -> [UInt8] {
        let opening = self
        guard bytes.popFirst() == UInt8(ascii: "\"") else {
            throw opening.fault(opening.openingFault, name)
        }
        var value: [UInt8] = []
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = bytes.popFirst() else { throw opening.fault(.quoteUnclosed, name) }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        throw opening.fault(.quoteUnclosed, name)
    }

    private var openingFault: AuthorizationFieldFault.Kind {
        let rest = bytes.drop(while: \.isOptionalWhitespace)
        guard let first = rest.first, first != UInt8(ascii: ",") else { return .valueAbsent }
        return rest.startIndex == bytes.startIndex ? .valueUnquoted(.init(rest)) : .blankAfterEquals
    }

    /// A comma, or the end.
    mutating func skipComma(after name: ArraySlice<UInt8>) throws(AuthorizationFieldFault) {
        skipWhitespace()
        guard let byte = bytes.first else { return }
        guard byte == UInt8(ascii: ",") else { throw fault(.commaMissing(.init(byte)), name) }
        bytes.removeFirst()
        skipWhitespace()
    }

    private func fault(
        _ kind: AuthorizationFieldFault.Kind,
        _ name: ArraySlice<UInt8> = []
    ) -> AuthorizationFieldFault {
        let isShown =
            name.elementsEqual("realm".utf8)
            || name.starts(with: "oauth_".utf8) && name.count <= Self.longestName && name.allSatisfy(\.isNameCharacter)
        let parameter = isShown ? String(decoding: name, as: UTF8.self) : nil
        return AuthorizationFieldFault(kind: kind, position: bytes.startIndex + 1, parameter: parameter)
    }

    private mutating func skipWhitespace() {
        bytes = bytes.drop(while: \.isOptionalWhitespace)
    }
}

extension UInt8 {
    fileprivate var isNameCharacter: Bool { 0x61...0x7A ~= self || self == UInt8(ascii: "_") }
}
