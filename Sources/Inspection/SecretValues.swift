import Bytes

/// The values in a request that may be secrets, by the names that they have there, so that they can be taken out of
/// what others say of it: a server may repeat anything that it was sent.
package struct SecretValues: Sendable {
    /// The bytes of values that are kept, and the number of values.
    private static let mostBytes = 8 * 1024
    private static let mostValues = 256
    /// References within references that are looked into.
    private static let deepest = 3
    /// The bytes of a value that is in no text by coincidence, and of one that is no word by coincidence.
    private static let long = 6
    private static let short = 3

    /// The values of six bytes and more.
    package private(set) var values: Set<String> = []
    /// The shorter ones, which may be parts of other words; those below three bytes are not kept.
    package private(set) var words: Set<String> = []
    /// Indicates whether all of them are here.
    package private(set) var isWhole = true
    private var bytes = 0

    package init() {}

    /// Notes that there is a part of the request that cannot be looked into.
    package mutating func missPart() {
        isWhole = false
    }

    // MARK: Parts of a request

    /// - Parameter isSecret: Whether the value is secret, whatever the name tells.
    package mutating func add(field name: some StringProtocol, _ value: some StringProtocol, isSecret: Bool = false) {
        guard isSecret || SecretName.includes(name) else {
            add(target: value)
            return
        }
        let name = name.lowercased()
        if name == "cookie" {
            for pair in value.split(separator: ";") { keepForms(of: Self.value(of: pair)) }
        } else if name.hasSuffix("authorization") {
            add(credentials: value)
        } else {
            keepForms(of: value)
        }
    }

    /// - Parameter target: A request-target, or another reference, or a query.
    package mutating func add(target: some StringProtocol) {
        add(target: target, depth: 0)
        var found: [String] = []
        if !SecretText.values(in: target, { found.append($0) }) { isWhole = false }
        for value in found { keepForms(of: value) }
    }

    /// Returns whether the names in a body of this media type tell what is a secret.
    package static func reads(mediaType: some StringProtocol) -> Bool { BodyKind(mediaType) != nil }

    /// - Parameter mediaType: The value of Content-Type; a body of another type than those that are read is passed
    ///   over.
    package mutating func add(body: String, mediaType: some StringProtocol) {
        switch BodyKind(mediaType) {
        case .form: add(target: body)
        case .parts: add(parts: body, mediaType: mediaType)
        case .json:
            JSONMembers.read(Array(body.utf8)) { name, value in
                if name.map(SecretName.includes) ?? false { keepForms(of: value) }
                add(target: value)
            }
        case nil: break
        }
    }

    private enum BodyKind {
        case form, json, parts

        init?(_ mediaType: some StringProtocol) {
            let type = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
            switch type {
            case "application/x-www-form-urlencoded": self = .form
            case "multipart/form-data": self = .parts
            case _ where type == "application/json" || type.hasSuffix("+json"): self = .json
            default: return nil
            }
        }
    }

    /// The characters between parameters, as ``Redaction`` has them.
    private static let ofQueries: Set<Unicode.Scalar> = ["&", ";", "?", "#"]
    private static let ofPaths: Set<Unicode.Scalar> = ["/", ";", "?", "#"]

    /// Adds the values of a target, which may be a query as well.
    private mutating func add(target: some StringProtocol, depth: Int) {
        guard target.utf8.contains(UInt8(ascii: "=")) else { return }
        add(parameters: target, Self.ofQueries, depth: depth)
        add(parameters: target.part(beforeScalar: { $0 == "?" }), Self.ofPaths, depth: depth)
    }

    private mutating func add(parameters text: some StringProtocol, _ separators: Set<Unicode.Scalar>, depth: Int) {
        for pair in Substring(text).unicodeScalars.split(whereSeparator: separators.contains).map(Substring.init) {
            guard let equals = pair.unicodeScalars.firstIndex(of: "=") else { continue }
            let name = PercentEncoding.decodeText(pair[..<equals].utf8) ?? String(pair[..<equals])
            let value = pair.part(afterScalarAt: equals)
            if SecretName.includes(name) {
                keepForms(of: value)
            } else if depth < Self.deepest, let inner = PercentEncoding.decodeText(value.utf8) {
                add(target: inner, depth: depth + 1)
            }
        }
    }

    /// RFC 7578: parts of a form.
    private mutating func add(parts text: String, mediaType: some StringProtocol) {
        // A key in PEM has the hyphens, too.
        for part in text.split(separator: "\r\n--\(Self.parameters("boundary", of: mediaType).first ?? "")") {
            let halves = part.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            if Self.parameters("name", of: halves[0]).contains(where: SecretName.includes) { keepForms(of: halves[1]) }
            add(target: halves[1])
        }
    }

    /// Returns the values of a parameter of fields, and not of one whose name ends alike (`filename`).
    private static func parameters(_ name: String, of fields: some StringProtocol) -> [String] {
        fields.split { $0 == ";" || $0 == "\r\n" }.compactMap { parameter -> String? in
            guard let equals = parameter.firstIndex(of: "=") else { return nil }
            let own = String(parameter[..<equals]).filter { $0 != " " && $0 != "\t" }.lowercased()
            // RFC 8187 has an asterisk for text that is encoded.
            return own == name || own == "\(name)*" ? value(of: parameter) : nil
        }
    }

    /// RFC 9110, section 11.4: a scheme, and behind it a word or parameters.
    private mutating func add(credentials: some StringProtocol) {
        let rest = credentials.drop { $0 != " " }.drop { $0 == " " }
        guard !rest.isEmpty else { return keepForms(of: credentials) }
        let value = rest.drop { $0 != "=" }.dropFirst()
        guard let first = value.first, first != "=" else { return keepForms(of: rest) }
        for parameter in rest.split(separator: ",") {
            let name = parameter.prefix { $0 != "=" }.drop { $0 == " " }
            if !Redaction.isShown(authorizationParameter: String(name)) { keepForms(of: Self.value(of: parameter)) }
        }
    }

    /// Returns what stands behind the equals sign, or all of it where there is none, without quotes.
    private static func value(of pair: some StringProtocol) -> String {
        let value = pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } ?? pair[...]
        return String(value.drop { $0 == " " || $0 == "\"" }.reversed().drop { $0 == " " || $0 == "\"" }.reversed())
    }

    // MARK: Values

    /// Keeps a value, and what is encoded in it.
    private mutating func keepForms(of value: some StringProtocol) {
        let value = String(value)
        keep(value)
        let decoded = PercentEncoding.decodeText(value.utf8) ?? value
        if decoded != value { keep(decoded) }
        // In a form a plus sign stands for a space.
        if value.utf8.contains(UInt8(ascii: "+")) {
            let bytes = PercentEncoding.decodeLeniently(Array(value.utf8).span, plusIsSpace: true)
            keep(String(decoding: bytes, as: UTF8.self))
            // Whoever cannot decode the rest may repeat it with its triplets.
            keep(value.replacing("+", with: " "))
        }
        guard let text = Self.base64Text(decoded) else { return }
        keep(text)
        // RFC 7617: a user and a password.
        if let colon = text.firstIndex(of: ":") { keep(String(text[text.index(after: colon)...])) }
    }

    private mutating func keep(_ value: String) {
        let count = value.utf8.count
        guard count >= Self.short else { return }
        guard bytes + count <= Self.mostBytes, values.count + words.count < Self.mostValues else {
            isWhole = false
            return
        }
        if count < Self.long {
            if words.insert(value).inserted { bytes += count }
        } else if values.insert(value).inserted {
            bytes += count
        }
    }

    /// Returns the text that a value is in base64, with either alphabet; nil when it is none.
    private static func base64Text(_ value: String) -> String? {
        guard value.utf8.count >= 8 else { return nil }
        guard let bytes = Base64.decodeAnyForm(value.utf8Span.span),
            let text = String(validating: bytes, as: UTF8.self), !text.hasControl
        else { return nil }
        return text
    }
}
