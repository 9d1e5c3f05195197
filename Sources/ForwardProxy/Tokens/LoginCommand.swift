import Routing

/// The command that gets a person's account its token.
enum LoginCommand {
    /// A line for a shell.
    static func text(api: String, account: String) -> String {
        guard account != Account.defaultName else { return "paraph login \(quoted(api))" }
        // After a space it would be taken for an option.
        let separator = account.hasPrefix("-") ? "=" : " "
        return "paraph login \(quoted(api)) --account\(separator)\(quoted(account))"
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { octet in
            0x30...0x39 ~= octet || 0x41...0x5A ~= octet || 0x61...0x7A ~= octet || "-_.@+/=".utf8.contains(octet)
        }
        guard !isPlain else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
