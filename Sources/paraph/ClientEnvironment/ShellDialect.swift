import ArgumentParser
import Bytes
import Credentials

/// The reader of the lines of `paraph env`.
enum ShellDialect: String, CaseIterable, ExpressibleByArgument, Sendable {
    case sh, fish, powershell, dotenv

    init?(argument: String) {
        switch argument {
        // They read what sh reads.
        case "bash", "zsh", "dash", "ksh", "ash": self = .sh
        case "pwsh": self = .powershell
        default: self.init(rawValue: argument)
        }
    }

    /// Sets a variable for what the shell starts.
    /// - Parameter value: The value; where it has ``ClientPassword/reference``, the shell puts the variable's value of
    ///   that moment.
    func assignment(_ name: String, _ value: String) -> String {
        let parts = value.split(separator: ClientPassword.reference, omittingEmptySubsequences: false).map(String.init)
        return switch self {
        case .sh: "export \(name)=" + parts.map(shQuoted).joined(separator: "\"$\(ClientPassword.variable)\"")
        case .fish: "set -gx \(name) " + parts.map(Self.fishQuoted).joined(separator: "\"$\(ClientPassword.variable)\"")
        case .powershell:
            "$env:\(name) = "
                + parts.map(Self.powerShellQuoted).joined(separator: " + $env:\(ClientPassword.variable) + ")
        case .dotenv: "\(name)=" + Self.dotenvQuoted(parts)
        }
    }

    /// Takes a variable away; an environment file can only empty it.
    func removal(_ name: String) -> String {
        switch self {
        case .sh: "unset \(name)"
        case .fish: "set -e \(name)"
        case .powershell: "Remove-Item Env:\(name) -ErrorAction SilentlyContinue"
        case .dotenv: "\(name)="
        }
    }

    /// A comment, which the shell passes over.
    func comment(_ sentence: String) -> String { "# \(sentence)" }

    /// The empty word too has quotes, but not on both sides of another.
    private func shQuoted(_ word: String) -> String { word.isEmpty ? "" : shellQuoted(word) }

    private static func fishQuoted(_ word: String) -> String {
        if word.isPlainForShells { return word }
        return "'" + word.escaping("\\'") + "'"
    }

    /// PowerShell takes typographic quotes for the plain one.
    private static func powerShellQuoted(_ word: String) -> String {
        var quoted = "'"
        for scalar in word.unicodeScalars {
            if "'\u{2018}\u{2019}\u{201A}\u{201B}".unicodeScalars.contains(scalar) {
                quoted.unicodeScalars.append(scalar)
            }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "'"
    }

    /// Plain where that is safe, which every reader takes; otherwise in single quotes, within which nothing is special.
    private static func dotenvQuoted(_ parts: [String]) -> String {
        let word = parts.joined()
        if parts.count == 1 {
            if word.isPlainForShells || word.isEmpty { return word }
            if !word.utf8.contains(where: { "'\n".utf8.contains($0) }) { return "'\(word)'" }
        }
        let escaped = parts.map { part in
            part.escaping("\\\"$`").unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                .map { String($0) }.joined(separator: "\\n")
        }
        return "\"" + escaped.joined(separator: ClientPassword.reference) + "\""
    }
}
