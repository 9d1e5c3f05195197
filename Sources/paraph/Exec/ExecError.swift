import ArgumentParser

/// The reason why a command was not started, beyond what the configuration, the state or the system say.
enum ExecError: Error, Equatable {
    case noCommand
    case logUnwritable(path: String, reason: String)
    /// The first word looks like an option, and there is none of this name.
    case unknownOption(String)
    case unknownAccount(String, known: [String])
    case cannotListen(reason: String)
    case noDescriptors
    /// The kernel does not tell whose connections are whose.
    case ownersNotKnown

    /// The exit code, as sysexits has it.
    var exitCode: ExitCode {
        switch self {
        case .noCommand, .unknownOption: .validationFailure
        case .unknownAccount, .logUnwritable: .badData
        case .cannotListen, .noDescriptors, .ownersNotKnown: .unavailable
        }
    }
}

extension ExecError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noCommand: "No command is given. Write it after the options: paraph exec -- COMMAND ARGUMENTS…"
        case .logUnwritable(let path, let reason): "The log's file \(path) cannot be written: \(reason)."
        case .unknownOption(let word):
            (CommandAdvice(["exec", word], of: Paraph.self).sentence ?? "\(word) is no option of paraph exec.")
                + " A command whose name begins with a dash goes after --."
        case .unknownAccount(let name, let known):
            "No API has an account \"\(name)\"; there are: \(known.joined(separator: ", "))."
        case .cannotListen(let reason): "No port of 127.0.0.1 can be listened on: \(reason)."
        case .noDescriptors: "No more files can be opened. Raise the limit (ulimit -n), or end what holds so many."
        case .ownersNotKnown:
            "/proc/net/tcp cannot be read, so that connections of other users of this machine could not be told from "
                + "yours. Mount /proc, or use paraph run with clients that have passwords (access.clients)."
        }
    }
}
