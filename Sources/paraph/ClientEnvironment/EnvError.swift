import ArgumentParser

/// The reason why the environment of a running proxy cannot be told.
enum EnvError: Error, Equatable {
    case noFixedPort(file: String)
    case clientNeeded(known: [String])
    case noClients(String)
    case unknownClient(String, known: [String])
    case noAuthority(path: String)

    /// As sysexits has them.
    var exitCode: ExitCode {
        switch self {
        case .clientNeeded, .noClients, .unknownClient: .validationFailure
        case .noFixedPort, .noAuthority: .badData
        }
    }
}

extension EnvError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noFixedPort(let file):
            "listen.proxy in \(file) has port 0, which is another one at each start. Give it a port, or run commands with "
                + "paraph exec."
        case .clientNeeded(let known):
            "This proxy asks its clients for a name and a password. Say which client this is: --client NAME, with one of "
                + "\(known.joined(separator: ", "))."
        case .noClients(let name):
            "The configuration lists no access.clients, so that there is no client \"\(name)\". Leave --client out."
        case .unknownClient(let name, let known):
            "access.clients has no \"\(name)\"; there are: \(known.joined(separator: ", "))."
        case .noAuthority(let path):
            "There is no local CA in \(path) yet. paraph run makes it at its first start."
        }
    }
}
