import ArgumentParser
import Bytes

/// The reason why a login did not come to a token, beyond what the provider said.
enum LoginError: Error, Equatable {
    case unknownAPI(String, known: [String])
    case unknownAccount(String, api: String, known: [String])
    /// The configuration has the account's token, or it needs none.
    case nothingToObtain(account: String)
    /// The vault holds what was enrolled under the account's name, and nobody but its owner can bring that again.
    case enrolled(api: String, account: String)
    case denied
    /// Standard input ended before there was a verifier.
    case noVerifier
    case cannotListen(address: String, reason: String)

    /// The exit code, as sysexits has it.
    var exitCode: ExitCode {
        switch self {
        case .unknownAPI, .unknownAccount, .nothingToObtain: .validationFailure
        case .noVerifier, .enrolled: .badData
        case .denied: .refused
        case .cannotListen: .unavailable
        }
    }
}

extension LoginError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownAPI(let name, let known):
            "There is no API \"\(name)\" in the configuration; there are: \(known.joined(separator: ", "))."
        case .unknownAccount(let name, let api, let known):
            "The API \(api) has no account \"\(name)\"; its accounts are: \(known.joined(separator: ", "))."
        case .nothingToObtain(let account):
            "The account \(account) needs no login: its token is in the configuration, or it signs without one."
        case .enrolled(let api, let account):
            "An account was enrolled as \(account) before the configuration named it, and its credential is in the vault. "
                + "To give it up, run: paraph accounts remove \(shellQuoted("\(api)/\(account)"))"
        case .denied: "The authorization was refused, and nothing was stored. To try again, run the command again."
        case .noVerifier:
            "There was no verifier on standard input, and nothing was stored. Run the command again, and type what the "
                + "provider shows."
        case .cannotListen(let address, let reason):
            "The callback cannot be listened for on \(address): \(reason). End what listens there, or change callback in "
                + "this account's three_legged."
        }
    }
}
