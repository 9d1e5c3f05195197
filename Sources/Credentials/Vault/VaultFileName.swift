import Bytes
import Crypto

/// The name of a credential's file: no two credentials share one, and none leads out of the directory.
///
/// It reads `API@ACCOUNT.sealed`, each part percent-encoded but for letters, digits, `-`, `_`, and `.` within; so it
/// has no slash, does not begin with a dot, and can be decoded in one way only. A pair too long for a file's name is
/// `~` and the SHA-256 of the same text in hexadecimal digits; a tilde begins no other name.
struct VaultFileName {
    static let suffix = ".sealed"
    /// A file's name has at most 255 bytes on Linux's file systems; some encrypted ones leave 143, and a temporary name
    /// is longer than this.
    private static let longest = 120

    let text: String

    init(_ name: CredentialName) {
        let readable = Self.encoded(name.api) + "@" + Self.encoded(name.account)
        if readable.utf8.count + Self.suffix.utf8.count <= Self.longest {
            text = readable + Self.suffix
        } else {
            let digest = SHA256.hash(data: Array(readable.utf8))
            text = "~" + Hexadecimal.encode(digest, uppercase: true) + Self.suffix
        }
    }

    /// The credential that a file of this name is of; nil when the name is a digest, or none of ours.
    static func name(_ fileName: String) -> CredentialName? {
        guard fileName.hasSuffix(suffix), !fileName.hasPrefix("~") else { return nil }
        let parts = fileName.dropLast(suffix.utf8.count).split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let api = PercentEncoding.decodeText(parts[0].utf8),
            let account = PercentEncoding.decodeText(parts[1].utf8)
        else { return nil }
        let name = CredentialName(api: api, account: account)
        // What decodes, but is not how the name is written, is some other file.
        return VaultFileName(name).text == fileName ? name : nil
    }

    private static func encoded(_ part: String) -> String {
        var result = ""
        for byte in part.utf8 {
            switch byte {
            case _ where byte.isLetterOrDigit, UInt8(ascii: "-"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !result.isEmpty:
                result += "."
            default:
                result += "%" + Hexadecimal.encode([byte], uppercase: true)
            }
        }
        return result
    }
}
