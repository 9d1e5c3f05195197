import OAuthSigning

/// Takes the secrets out of what a provider said, so that it can be shown and logged: providers do echo what they were
/// sent, encoded in the way of wherever they put it.
struct Scrubber {
    private static let characterLimit = 200
    private static let replacement = Array("<secret>".utf8)
    /// Whose values are secrets that were perhaps not known before.
    private static let secretNames = [
        "oauth_token_secret", "oauth_signature", "x_reverse_auth_parameters", "consumer_secret", "client_secret",
        "password",
    ].map { Array($0.utf8) }

    /// Without spaces, and longest first, so that a secret within another does not leave the rest of it standing.
    private let forms: [[UInt8]]

    init(secrets: [Secret]) {
        var forms: Set<[UInt8]> = []
        for secret in secrets where !secret.isEmpty {
            for form in Self.forms(of: secret) { forms.insert(printable(form).utf8.filter { $0 != 0x20 }) }
        }
        forms.remove([])
        self.forms = forms.sorted { $0.count > $1.count }
    }

    /// The text in printable characters, at most 200 of them, without the secrets.
    func words(of octets: [UInt8]) -> String {
        let text = Array(printable(String(decoding: octets, as: UTF8.self)).utf8)
        var result: [UInt8] = []
        var rest = text[...]
        while let octet = rest.first {
            if let end = forms.lazy.compactMap({ Self.end(of: $0, in: rest) }).first {
                result += Self.replacement
                rest = rest[end...]
            } else if let label = Self.labelOfSecret(rest) {
                let value = rest.dropFirst(label.count).prefix { !Self.endsValue($0) }
                result += label
                if !value.isEmpty { result += Self.replacement }
                rest = rest[value.endIndex...]
            } else {
                result.append(octet)
                rest = rest.dropFirst()
            }
        }
        return printable(String(decoding: result, as: UTF8.self), limit: Self.characterLimit)
    }

    /// Where a form ends that the octets begin with, be it broken by spaces (that were line ends).
    private static func end(of form: [UInt8], in octets: ArraySlice<UInt8>) -> Int? {
        guard octets.first == form.first else { return nil }
        var index = octets.startIndex
        for octet in form {
            while index < octets.endIndex, octets[index] == 0x20 { index += 1 }
            guard index < octets.endIndex, octets[index] == octet else { return nil }
            index += 1
        }
        return index
    }

    /// The secret as it is, and as URLs, forms, JSON and HTML have it.
    private static func forms(of secret: Secret) -> [String] {
        let plain = secret.revealed()
        let once = secret.withOctets { octets in PercentEncoding.encode(octets.indices.map { octets[$0] }) }
        let encoded = [once, PercentEncoding.encode(once)].map { String(decoding: $0, as: UTF8.self) }
        let json = replacing(["\\": "\\\\", "\"": "\\\""], in: plain)
        return [plain, json] + encoded + encoded.map(withLowerCaseDigits)
            + [
                encoded[0].split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+"),
                replacing(["/": "\\/"], in: json),
                replacing(["&": "\\u0026", "<": "\\u003c", ">": "\\u003e"], in: json),
                replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"], in: plain),
            ]
    }

    private static func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }

    private static func withLowerCaseDigits(_ encoded: String) -> String {
        var digits = 0
        return encoded.unicodeScalars.reduce(into: "") { text, scalar in
            text += digits > 0 ? String(scalar).lowercased() : String(scalar)
            digits = scalar == "%" ? 2 : max(0, digits - 1)
        }
    }

    /// A name of a secret at the beginning, with what leads over to its value (`oauth_token_secret":"`).
    private static func labelOfSecret(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for name in secretNames where octets.starts(with: name, by: { $0 | 0x20 == $1 | 0x20 }) {
            let afterName = octets.dropFirst(name.count)
            let punctuation = afterName.prefix { [0x20, 0x22, 0x27, 0x3A, 0x3D, 0x3E, 0x5C].contains($0) }
            if punctuation.contains(where: { [0x3A, 0x3D, 0x3E].contains($0) }) {
                return octets[..<punctuation.endIndex]
            }
            if afterName.starts(with: "%3D".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
                return octets[..<(afterName.startIndex + 3)]
            }
        }
        return nil
    }

    private static func endsValue(_ octet: UInt8) -> Bool {
        [0x20, 0x22, 0x26, 0x27, 0x2C, 0x3B, 0x3C, 0x5C, 0x7D].contains(octet)
    }
}
