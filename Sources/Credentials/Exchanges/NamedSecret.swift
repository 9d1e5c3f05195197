import Bytes

/// The name of a secret in a text, with its value behind it, in a form, JSON, XML or words.
struct NamedSecret {
    /// The names whose values are secrets that were perhaps not known before, without `_` and `-`, which a name may
    /// have anywhere. A longer name that ends in one of these is one too.
    private static let names = [
        "tokensecret", "oauthsignature", "xreverseauthparameters", "consumersecret", "clientsecret", "accesstoken",
        "refreshtoken", "idtoken", "verifier", "sessionhandle", "password", "passcode", "mackey", "apikey",
        "privatekey", "secretkey", "oauthtoken",
    ].map { Array($0.utf8) }

    /// Characters of a value of no quotation marks that JSON may escape: those of base64.
    private static let escaped = ["/", "u002f", "u002b", "u003d"].map { Array($0.utf8) }

    /// The place of the value, which may be empty.
    let value: Range<Int>

    /// Finds the value behind a name; nil unless a name begins at the start of the bytes, and leads over to a value
    /// (`oauth_token_secret":"`).
    init?(_ bytes: ArraySlice<UInt8>) {
        for name in Self.names {
            guard let end = Self.end(ofName: name, in: bytes), let value = Self.value(in: bytes, after: end) else {
                continue
            }
            self.value = value
            return
        }
        return nil
    }

    private static func end(ofName name: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, first | 0x20 == name.first else { return nil }
        var index = bytes.startIndex
        for letter in name {
            while index < bytes.endIndex, bytes[index] == UInt8(ascii: "_") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard index < bytes.endIndex, bytes[index] | 0x20 == letter else { return nil }
            index += 1
        }
        return index
    }

    private static func value(in bytes: ArraySlice<UInt8>, after name: Int) -> Range<Int>? {
        if bytes[name...].starts(with: "%3D".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
            return (name + 3)..<end(in: bytes, from: name + 3)
        }
        var index = name
        if let quote = EscapedQuote(in: bytes, at: index) { index = quote.endIndex }
        let separators = bytes[index...].prefix { " :=>".utf8.contains($0) }
        guard separators.contains(where: { $0 != 0x20 }) else { return nil }
        index = separators.endIndex
        guard let quote = EscapedQuote(in: bytes, at: index) else { return index..<end(in: bytes, from: index) }
        return quote.endIndex..<quote.closing(in: bytes)
    }

    /// Returns where a value ends that is not in quotation marks.
    private static func end(in bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x20, 0x22, 0x26, 0x27, 0x2C, 0x3B, 0x3C, 0x7D: return index
            case UInt8(ascii: "\\"):
                let rest = bytes[index...].drop { $0 == UInt8(ascii: "\\") }
                let isPart = escaped.contains { rest.starts(with: $0) { $0 == $1 || $0 | 0x20 == $1 } }
                guard isPart else { return index }
                index = rest.startIndex
            default: index += 1
            }
        }
        return index
    }
}
