import Bytes
import OAuthSigning

/// The members of a provider's answer: of a JSON object, or else of a form. Which one it is, is told by its first
/// character: providers name any Content-Type.
struct AnswerMembers {
    private enum Value {
        /// Percent-encoded, with `+` for space or for itself.
        case encoded(ArraySlice<UInt8>)
        case text(String)
    }

    private static let attributeLimit = 32
    private static let attributeByteLimit = 1_024

    private var members: [(name: String, value: Value)] = []

    /// Each pair of a form is split at its first `=`; a pair whose name cannot be decoded is left out. Of a JSON
    /// object, texts and numbers count.
    init(_ body: [UInt8]) {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = body.dropFirst(body.starts(with: mark) ? mark.count : 0).drop(while: blanks.contains)
        if text.first == UInt8(ascii: "{") {
            for (name, value) in JSONObject(Array(text))?.members ?? [] {
                switch value {
                case .text(let text), .number(let text): members.append((name, .text(text)))
                case .null, .other, .repeated: continue
                }
            }
        } else if let end = text.lastIndex(where: { !blanks.contains($0) }) {
            for pair in text[...end].split(separator: UInt8(ascii: "&")) {
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                guard let decoded = PercentEncoding.decode(name) else { continue }
                members.append((String(decoding: decoded, as: UTF8.self), .encoded(pair.dropFirst(name.count + 1))))
            }
        }
    }

    /// The value of a member that must not occur twice nor be empty; otherwise nil. A form's `+` is a space only in a
    /// value that has an encoded one too: providers that forget to encode what they issue issue base64, and none issues
    /// spaces.
    func bytes(_ name: String) -> [UInt8]? {
        let found = members.filter { $0.name.utf8.elementsEqual(name.utf8) }
        guard found.count == 1, let value = found.first?.value else { return nil }
        let bytes =
            switch value {
            case .encoded(let bytes):
                Self.encodesPlus(bytes) ? Self.formDecoded(bytes) : PercentEncoding.decode(bytes)
            case .text(let text): Array(text.utf8)
            }
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Likewise, nil also when it is not UTF-8.
    func text(_ name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// What the provider said besides, decoded: a bounded number of members, and none that is or has a secret.
    /// - Parameter protocolNames: Members that are not wanted. Those that begin with `oauth_` are none anyway.
    func attributes(without protocolNames: Set<String> = [], scrubber: Scrubber) -> [String: String] {
        var attributes: [String: String] = [:]
        for (name, value) in members where attributes.count < Self.attributeLimit {
            guard !name.isEmpty, !name.hasPrefix("oauth_"), !protocolNames.contains(name),
                let text = Self.text(value), name.utf8.count + text.utf8.count <= Self.attributeByteLimit,
                !Self.isSecretName(name), !scrubber.finds(inName: name), !scrubber.finds(in: text),
                !scrubber.finds(inName: name + text)
            else { continue }
            attributes[name] = text
        }
        return attributes
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .encoded(let bytes):
            formDecoded(bytes).flatMap { String(validating: $0, as: UTF8.self) }
        case .text(let text): text
        }
    }

    private static func encodesPlus(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: "%2B".utf8) || bytes[$0...].starts(with: "%2b".utf8) }
    }

    private static func formDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        PercentEncoding.decode(bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }

    private static func isSecretName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["token", "secret", "passw", "passcode", "verifier", "session", "apikey", "api_key", "private"]
            .contains { name.contains($0) }
    }
}
