import Bytes

/// The fault that keeps an `Authorization` field of the scheme `OAuth` from being read (RFC 5849, section 3.5.1), and
/// its place.
package struct AuthorizationFieldFault: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The whole field is one token, as it is for OAuth 2.0.
        case bareToken
        /// Something stands where a name should.
        case nameAwaited
        case equalsMissing
        /// A colon stands where `=` should.
        case colon
        case nameEmpty
        case blankBeforeEquals
        case blankAfterEquals
        /// Nothing stands between `=` and the next comma.
        case valueAbsent
        case valueUnquoted(Opening)
        case quoteUnclosed
        /// A value begins with two quotation marks.
        case quotesDoubled
        /// Something other than a comma follows a value.
        case commaMissing(Separator)
    }

    /// The character that a value begins with in place of a quotation mark.
    package enum Opening: Equatable, Sendable {
        case apostrophe
        case typographicQuote
        case backslash
        case encodedQuote
        case other
    }

    package enum Separator: Equatable, Sendable {
        case ampersand
        case semicolon
        case quote
        /// The next name and its `=`.
        case name
        case other
    }

    package let kind: Kind
    /// The number of the first byte of the field's value that cannot be read: the first of all is 1.
    package let position: Int
    /// The parameter that it happens in; nil for one whose name does not look like the protocol's.
    package let parameter: String?
}

extension AuthorizationFieldFault: CustomStringConvertible {
    /// A sentence without a value in it, which may be a secret.
    package var description: String {
        "The Authorization field cannot be read at byte \(position): \(reason). It must be OAuth name=\"value\", "
            + "name=\"value\", and so on."
    }

    private var reason: String {
        let value = parameter.map { "the value of \($0)" } ?? "a value"
        return switch kind {
        case .bareToken: "it is a bare token, as OAuth 2.0 has, and no signature"
        case .nameAwaited: "a name should stand there"
        case .equalsMissing: "no = follows \(parameter ?? "a name")"
        case .colon: "a colon stands behind \(parameter ?? "a name"), where = should"
        case .nameEmpty: "no name stands before ="
        case .blankBeforeEquals: "a blank stands between \(parameter ?? "a name") and its ="
        case .blankAfterEquals: "a blank stands before \(value)"
        case .valueAbsent: "\(value) is absent; one that is empty is written as \"\""
        case .valueUnquoted(.apostrophe): "\(value) stands in ' and not in \""
        case .valueUnquoted(.typographicQuote):
            "\(value) stands in typographic quotation marks and not in \", as an editor or a page may have changed them"
        case .valueUnquoted(.backslash):
            "\(value) begins with a backslash: its quotation marks are escaped once too often"
        case .valueUnquoted(.encodedQuote): "the quotation marks around \(value) are encoded"
        case .valueUnquoted(.other): "\(value) is not in quotation marks"
        case .quoteUnclosed: "\(value) has no closing quotation mark"
        case .quotesDoubled: "the quotation marks around \(value) are doubled"
        case .commaMissing(let separator): "\(separator.words) follows \(value), where a comma should"
        }
    }
}

extension AuthorizationFieldFault.Opening {
    init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes.prefix(6).map(\.lowercasedASCII))
        let marks: [(String, Self)] = [
            ("'", .apostrophe), ("“", .typographicQuote), ("”", .typographicQuote), ("„", .typographicQuote),
            ("«", .typographicQuote), ("‘", .typographicQuote), ("’", .typographicQuote), ("\\", .backslash),
            ("%22", .encodedQuote), ("&quot;", .encodedQuote), ("&#34;", .encodedQuote), ("%27", .encodedQuote),
        ]
        self = marks.first { bytes.starts(with: $0.0.utf8) }?.1 ?? .other
    }
}

extension AuthorizationFieldFault.Separator {
    init(_ byte: UInt8) {
        self =
            switch byte {
            case UInt8(ascii: "&"): .ampersand
            case UInt8(ascii: ";"): .semicolon
            case UInt8(ascii: "\""): .quote
            default: .other
            }
    }

    fileprivate var words: String {
        switch self {
        case .ampersand: "&"
        case .semicolon: "a semicolon"
        case .quote: "a second quotation mark"
        case .name: "the next parameter"
        case .other: "something else"
        }
    }
}
