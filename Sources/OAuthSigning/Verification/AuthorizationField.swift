import Bytes

/// The value of an `Authorization` field of the scheme `OAuth` (RFC 5849, section 3.5.1).
package struct AuthorizationField: Sendable {
    /// The pairs in the order of the field, without the realm.
    package private(set) var written: [WrittenPair] = []
    package private(set) var realm: [UInt8]?

    /// Reads a field's value; nil for another scheme.
    ///
    /// - Throws: ``AuthorizationFieldFault`` where the pairs are malformed.
    package init?(_ value: Span<UInt8>) throws(AuthorizationFieldFault) {
        var scanner = Scanner(bytes: value.array[...])
        guard scanner.skipScheme() else { return nil }
        if scanner.isBareToken { throw scanner.fault(.bareToken) }
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

/// Reads `auth-param`s (RFC 9110, section 11.2), a list of which may have empty elements (section 5.6.1.2).
private struct Scanner {
    private static let longestName = 64

    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skipScheme() -> Bool {
        skipWhitespace()
        let scheme = bytes.prefix(6).map(\.lowercasedASCII)
        guard scheme.elementsEqual("oauth ".utf8) else { return false }
        bytes = bytes.dropFirst(6)
        skipSeparators()
        return true
    }

    /// A name and the `=` after it.
    mutating func name() throws(AuthorizationFieldFault) -> ArraySlice<UInt8> {
        let start = self
        let name = bytes.prefix(while: \.isOfName)
        bytes = bytes.dropFirst(name.count)
        if bytes.first == UInt8(ascii: "=") {
            if name.isEmpty { throw fault(.nameEmpty) }
            bytes.removeFirst()
            return name
        }
        let rest = bytes.drop(while: \.isListWhitespace)
        if name.isEmpty { throw start.fault(.nameAwaited) }
        switch rest.first {
        case UInt8(ascii: "=") where rest.startIndex != bytes.startIndex: throw fault(.blankBeforeEquals, name)
        case UInt8(ascii: ":"): throw Self(bytes: rest).fault(.colon, name)
        default: throw start.fault(.equalsMissing, name)
        }
    }

    mutating func quotedValue(of name: ArraySlice<UInt8>) throws(AuthorizationFieldFault) -> [UInt8] {
        let opening = self
        guard bytes.popFirst() == UInt8(ascii: "\"") else { throw opening.fault(opening.openingFault, name) }
        var value: [UInt8] = []
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                if let kind = faultBehind(value) { throw opening.fault(kind, name) }
                return value
            case UInt8(ascii: "\\"):
                guard let escaped = bytes.popFirst() else { throw opening.fault(.quoteUnclosed, name) }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        throw opening.fault(.quoteUnclosed, name)
    }

    /// Commas, or the end.
    mutating func skipComma(after name: ArraySlice<UInt8>) throws(AuthorizationFieldFault) {
        skipWhitespace()
        guard let byte = bytes.first else { return }
        guard byte == UInt8(ascii: ",") else {
            let next = bytes.prefix(while: \.isOfName)
            let isName =
                next.first.map(PercentEncoding.isUnreserved) == true
                && bytes.dropFirst(next.count).first == UInt8(ascii: "=")
            throw fault(.commaMissing(isName ? .name : .init(byte)), name)
        }
        skipSeparators()
    }

    /// Indicates whether all that is left is a `token68`, behind which `=` stand only to fill it up.
    var isBareToken: Bool {
        let token = bytes.prefix { $0 != UInt8(ascii: "=") }
        return !token.isEmpty && !token.starts(with: "oauth_".utf8) && !token.elementsEqual("realm".utf8)
            && !token.contains { $0 == UInt8(ascii: ",") || $0.isListWhitespace }
            && bytes[token.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
    }

    private var openingFault: AuthorizationFieldFault.Kind {
        let rest = bytes.drop(while: \.isListWhitespace)
        guard let first = rest.first, first != UInt8(ascii: ",") else { return .valueAbsent }
        return rest.startIndex == bytes.startIndex ? .valueUnquoted(.init(rest)) : .blankAfterEquals
    }

    /// Returns what is wrong with a value that seemed to end here: the quotation mark may be another one's.
    private func faultBehind(_ value: [UInt8]) -> AuthorizationFieldFault.Kind? {
        guard let next = bytes.first, next != UInt8(ascii: ","), !next.isListWhitespace else { return nil }
        if value.isEmpty {
            return "&;".utf8.contains(next) || bytes.starts(with: "oauth_".utf8) ? nil : .quotesDoubled
        }
        let isNamed = value.last == UInt8(ascii: "=") && value.contains(UInt8(ascii: ","))
        return isNamed ? .quoteUnclosed : nil
    }

    func fault(
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
        bytes = bytes.drop(while: \.isListWhitespace)
    }

    private mutating func skipSeparators() {
        bytes = bytes.drop { $0 == UInt8(ascii: ",") || $0.isListWhitespace }
    }
}

extension UInt8 {
    fileprivate var isNameCharacter: Bool { isLowercase || self == UInt8(ascii: "_") }

    /// Anything that ends no name: providers are not asked what else may stand in one.
    fileprivate var isOfName: Bool { !isListWhitespace && !"=,:\"".utf8.contains(self) }

    /// A blank, a tab, or a line end, as a field has that was folded.
    fileprivate var isListWhitespace: Bool {
        isOptionalWhitespace || self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n")
    }
}
