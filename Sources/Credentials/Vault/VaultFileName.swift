import Crypto

/// The name of a credential's file: no two credentials share one, and none leads out of the directory.
///
/// It reads `API@ACCOUNT.sealed`, each part percent-encoded but for letters, digits, `-`, `_`, and `.` within; so it has
/// no slash, does not begin with a dot, and can be decoded in one way only. A pair too long for a file's name is
/// `~` and the SHA-256 of the same text in hexadecimal digits; a tilde begins no other name.
struct VaultFileName {
    static let suffix = ".sealed"
    /// A file's name has at most 255 octets on Linux's file systems; some encrypted ones leave 143.
    private static let longest = 140

    let text: String

    init(_ name: CredentialName) {
        let readable = Self.encoded(name.api) + "@" + Self.encoded(name.account)
        if readable.utf8.count + Self.suffix.utf8.count <= Self.longest {
            text = readable + Self.suffix
        } else {
            let digest = SHA256.hash(data: Array(readable.utf8))
            text = "~" + digest.reduce(into: "") { Self.appendHexadecimal($1, to: &$0) } + Self.suffix
        }
    }

    private static func encoded(_ part: String) -> String {
        var result = ""
        for octet in part.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(octet))
            case UInt8(ascii: ".") where !result.isEmpty:
                result += "."
            default:
                result += "%"
                appendHexadecimal(octet, to: &result)
            }
        }
        return result
    }

    private static func appendHexadecimal(_ octet: UInt8, to text: inout String) {
        let digits = String(octet, radix: 16, uppercase: true)
        text += digits.utf8.count < 2 ? "0" + digits : digits
    }
}
