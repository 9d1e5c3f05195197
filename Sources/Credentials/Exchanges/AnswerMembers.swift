import Bytes
import OAuthSigning

/// The members of a provider's answer: of a JSON object, or else of a form. Which one it is, is told by its first
/// character: providers name any Content-Type.
struct AnswerMembers {
    private enum Value {
        /// A value that is percent-encoded, with `+` for space or for itself.
        case encoded([UInt8])
        case text(String)
    }

    private static let attributeByteLimit = 1_024
    /// The members that say whose a token is and what it is for, as providers name them, without `_`: others may have
    /// secrets in them.
    private static let attributeNames: Set<String> = [
        "id", "idstr", "userid", "useridstr", "encodeduserid", "usernsid", "guid", "xoauthyahooguid", "accountid",
        "memberid", "username", "screenname", "name", "fullname", "displayname", "firstname", "lastname", "nickname",
        "login", "email", "accountname", "scope", "xauthexpires", "keypermissions",
    ]

    private var members: [(name: String, value: Value)] = []

    /// Reads the members of a body. Each pair of a form is split at its first `=`; a pair whose name cannot be decoded
    /// is left out. Of a JSON object, texts and numbers count.
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
            for pair in WrittenPair.pairs(of: Array(text[...end])) {
                guard let name = PercentEncoding.decode(pair.name) else { continue }
                members.append((String(decoding: name, as: UTF8.self), .encoded(pair.value)))
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
                PercentEncoding.decode(bytes, plusIsSpace: Self.encodesPlus(bytes))
            case .text(let text): Array(text.utf8)
            }
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Returns the same as text; nil also when it is not UTF-8.
    func text(_ name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns what the provider said besides, decoded: the members of known names that neither are nor have a secret.
    func attributes(scrubber: Scrubber) -> [String: String] {
        var attributes: [String: String] = [:]
        for (name, value) in members {
            guard Self.attributeNames.contains(name.lowercased().filter { $0 != "_" }),
                attributes.count < Self.attributeNames.count,
                let text = Self.text(value), name.utf8.count + text.utf8.count <= Self.attributeByteLimit,
                !scrubber.finds(inName: name), !scrubber.finds(in: text), !scrubber.finds(inName: name + text)
            else { continue }
            attributes[name] = text
        }
        return attributes
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .encoded(let bytes):
            PercentEncoding.decodeText(bytes, plusIsSpace: true)
        case .text(let text): text
        }
    }

    private static func encodesPlus(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: "%2B".utf8) || bytes[$0...].starts(with: "%2b".utf8) }
    }
}
