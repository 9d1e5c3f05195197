import ArgumentParser
import Bytes
import Credentials
import Files
import SystemPackage

/// Removes accounts' credentials from the vault.
struct RemoveAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove accounts' credentials from the vault.",
        usage: """
            paraph accounts remove API/ACCOUNT … [--json] [--config FILE]
            paraph accounts remove --stdin [--json] [--config FILE] < names
            """,
        discussion: """
            An enrolled account is there no more; one of the configuration gets a new token as it got its first. The \
            provider is not told: a token that must not be used any more has to be revoked there too. With --stdin each line \
            of standard input is API/ACCOUNT, or one that `paraph accounts list` prints, with or without --json. With --json \
            each line of the output is an object with api, account and removed (true or false). Exits with 65 when nothing \
            is stored for one of them; the others are removed.
            """
    )

    @Argument(
        help: "The accounts, as API/ACCOUNT each; one may also be two words, an API's and its own.",
        completion: ConfiguredNames.account
    )
    var names: [String] = []

    @Flag(help: "Read the accounts from standard input.")
    var stdin = false

    @Flag(help: "Print a JSON object on each line.")
    var json = false

    @OptionGroup
    var option: VaultOption

    func validate() throws {
        guard stdin == names.isEmpty else {
            throw ValidationError(stdin ? "Name accounts, or read them with --stdin: not both." : "Name an account.")
        }
        do throws(AccountWordsError) { _ = try AccountWords.names(names) } catch { throw ValidationError("\(error)") }
    }

    func run() async throws {
        let read = try await stdin ? Self.readNames() : []
        try await option.withVault { vault, configuration in
            let selection = try await VaultOption.selection(names, in: vault, configuration)
            // What `paraph accounts list` takes for a whole API is not removed as one account.
            if let api = selection.apis.last { throw AccountWordsError.apiAlone(api) }
            let accounts = stdin ? read : selection.accounts
            var isComplete = true
            for name in accounts {
                let wasThere = try await vault?.store.remove(name) == true
                if json {
                    let members = AccountReport.members(name) + [("removed", .boolean(wasThere))]
                    StandardOutput.print(json: JSONText.object(members).line)
                } else if wasThere {
                    StandardOutput.print("Removed the credential of \(name) from the vault.")
                } else {
                    _ = VaultOption.missing(name, in: configuration)
                }
                isComplete = isComplete && wasThere
            }
            return isComplete ? .success : .badData
        }
    }

    /// Reads all of them before anything is removed: what one line has wrong, the rest may have, too.
    private static func readNames() async throws(ExitCode) -> [CredentialName] {
        var lines = BatchLines()
        do {
            let bytes = try await BlockingWork.run { () throws(Errno) in try FileDescriptor.standardInput.readAll() }
            var read = lines.append(bytes)
            if let last = lines.last { read.append(last) }
            return try read.map { try AccountWords.name(line: $0) }
        } catch let error as Errno {
            StandardError.print("paraph: standard input cannot be read: \(error.reason).")
            throw .unavailable
        } catch {
            StandardError.print("paraph: Nothing was removed. \(error)")
            throw .badData
        }
    }
}
