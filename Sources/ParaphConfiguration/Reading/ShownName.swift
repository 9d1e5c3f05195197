import Bytes
import Files

/// The words of the file that a mistake may repeat. A secret may stand where a key, a name or a path belongs, and most
/// secrets look like no secret: only what is known to be such a word is shown. Every mistake has its line and column.
package enum ShownName {
    /// The text that a mistake has in the place of a word that it does not repeat.
    static let hidden = "(\(explanation))"
    /// The same within the name of a value.
    static let hiddenName = "(not shown)"
    private static let explanation = "not shown, since it may be a secret"

    /// A word that is not one of those which may stand there: one that is close to one of them, and hardly longer.
    static func word(_ word: String, near meant: String?) -> String {
        let isSlip = meant.map { word.utf8.count <= $0.utf8.count + 3 } ?? false
        return isSlip ? shown(word) : hidden
    }

    /// The name of an API, if it has the form of one.
    static func api(_ name: String) -> String { Value.isAPIName(name) ? name : hiddenName }

    /// The name of a variable: words in capitals, joined by `_`, with a short number at most, of which one says what
    /// variables with secrets are for.
    package static func variable(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        let isName = words.map(\.utf8).allSatisfy { word in
            word.count <= 16 && word.prefix(while: \.isUppercase).count >= word.count - 2
                && word.allSatisfy { $0.isUppercase || $0.isDigit }
        }
        return isName && words.contains { purposes.contains(String($0)) }
            ? "the environment variable \(name)" : "an environment variable \(hidden)"
    }

    private static let purposes: Set<String> = [
        "ACCOUNT", "API", "AUTH", "BEARER", "CERT", "CERTIFICATE", "CLIENT", "CODE", "CONSUMER", "CREDENTIAL",
        "CREDENTIALS", "ID", "KEY", "LOGIN", "NAME", "OAUTH", "PARAPH", "PASS", "PASSCODE", "PASSKEY", "PASSPHRASE",
        "PASSWORD", "PIN", "PRIVATE", "PROXY", "PW", "PWD", "REALM", "SECRET", "TOKEN", "USER", "USERNAME", "VAULT",
    ]

    /// A path, as the file has it: of a file that is there, or of a form that people give paths beyond the folders that
    /// are there, in one of these or with an extension of such files.
    /// - Parameter resolved: The same from the root, or from where the program runs.
    static func file(_ path: String, resolved: String) -> String {
        isFile(path, resolved: resolved) ? "the file \(shown(path: resolved))" : "a file \(hidden)"
    }

    /// Returns whether a path may be shown, by that rule.
    static func isFile(_ path: String, resolved: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let unknown = parts.dropFirst(existingFolders(path, parts, resolved: resolved))
        let isPath =
            unknown.map(\.utf8).allSatisfy(isFileName) && (hasExtension(path) || unknown.count < parts.count)
        return isPath || FileContents.exists(resolved)
    }

    /// Returns how many of the folders of a path are there. The others need not be: nothing may be mounted yet.
    private static func existingFolders(_ path: String, _ parts: [Substring], resolved: String) -> Int {
        let folders = parts.dropLast().prefix { part in
            FileContents.exists(String(resolved.dropLast(path[part.endIndex...].count)))
        }
        return folders.count
    }

    private static func hasExtension(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: "."), dot > path.startIndex else { return false }
        return extensions.contains(String(path[dot...].dropFirst()))
    }

    private static let extensions: Set<String> = [
        "cer", "conf", "crl", "crt", "der", "env", "json", "key", "pass", "password", "pem", "secret", "token", "txt",
    ]

    /// Secrets mix digits and letters, or small ones and capitals, throughout.
    private static func isFileName(_ part: Substring.UTF8View) -> Bool {
        guard part.count <= 40, part.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) }) else {
            return false
        }
        let capitals = part.count(where: \.isUppercase)
        return part.count(where: \.isDigit) <= 4 && (capitals <= 1 || capitals == part.count(where: \.isLetter))
    }
}

/// A text of the file between quotation marks, made printable and shortened.
/// - Parameter limit: The number of characters that are shown.
func shown(_ text: String, limit: Int = 64) -> String {
    "\"\(PrintableText(text, limit: limit))\""
}

/// A path, which is of no use when its end is missing.
func shown(path: String) -> String { shown(path, limit: 4_096) }

/// `one, two or three`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
