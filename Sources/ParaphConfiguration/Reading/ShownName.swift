/// Which words of the file a mistake may repeat. A secret may stand where a key, the name of a variable or of a file
/// belongs; only what has the form of such a name, and not that of a secret, is shown. Every mistake has its line and column.
enum ShownName {
    static let explanation = "not shown, since it may be a secret"

    /// A key that is not known: one close to a known one, or words in lower case.
    static func key(_ key: String, near meant: String? = nil) -> String {
        let isSlip = meant.map { key.utf8.count <= $0.utf8.count + 3 } ?? false
        let isWords = key.utf8.count <= 32 && key.utf8.allSatisfy { isLowercase($0) || "_-".utf8.contains($0) }
        return isSlip || isWords ? shown(key) : "(\(explanation))"
    }

    /// The name of a variable: words in capitals, joined by `_`, with a short number at most.
    static func variable(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false).map(\.utf8)
        let isName = words.allSatisfy { word in
            word.count <= (words.count == 1 ? 10 : 16) && word.prefix(while: isUppercase).count >= word.count - 2
                && word.allSatisfy { isUppercase($0) || isDigit($0) }
        }
        return isName && words.first?.isEmpty == false
            ? "the environment variable \(name)"
            : "an environment variable (\(explanation))"
    }

    /// A path, as the file has it: with folders or an extension, each part of which people would give a file.
    /// - Parameter resolved: the same from the root, or from where the program runs.
    static func file(_ path: String, resolved: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(\.utf8)
        let isPath = path.utf8.contains(UInt8(ascii: "/")) || hasExtension(path)
        return isPath && parts.allSatisfy(isFileName) ? "the file \(shown(path: resolved))" : "a file (\(explanation))"
    }

    private static func hasExtension(_ path: String) -> Bool {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")), dot > path.startIndex else { return false }
        let letters = path.utf8[dot...].dropFirst()
        return (2...5).contains(letters.count) && letters.allSatisfy(isLowercase)
    }

    /// Secrets mix digits and letters, or small ones and capitals, throughout.
    private static func isFileName(_ part: Substring.UTF8View) -> Bool {
        guard part.count <= 40, part.allSatisfy({ isLetter($0) || isDigit($0) || "._-".utf8.contains($0) }) else {
            return false
        }
        let capitals = part.count(where: isUppercase)
        return part.count(where: isDigit) <= 4 && (capitals <= 1 || capitals == part.count(where: isLetter))
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isUppercase(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
