import Bytes
import Credentials
import Routing

/// The command that gets a person's account its token.
package enum LoginCommand {
    /// A line for a shell.
    package static func text(api: String, account: String) -> String {
        guard account != Account.defaultName else { return "paraph login \(shellQuoted(api))" }
        // After a space it would be taken for an option.
        let separator = account.hasPrefix("-") ? "=" : " "
        return "paraph login \(shellQuoted(api)) --account\(separator)\(shellQuoted(account))"
    }
}
