import ArgumentParser
import Credentials
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing

/// Tells a shell of the proxy that `paraph run` runs.
struct Env: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the variables that make programs use a proxy that is running.",
        discussion: """
            For eval "$(paraph env)" (sh, bash, zsh), paraph env --shell fish | source, and paraph env --shell \
            powershell | Out-String | Invoke-Expression; or a file in dotenv's form. They are those that paraph exec gives \
            its command. The files that they name (the system's CAs and the local CA, for each kind of program) are \
            written to the folder clients of the state directory, and stay good until the local CA is renewed.

            Where access.clients asks for passwords, the lines name $PARAPH_CLIENT_PASSWORD in place of the password: \
            set that first, percent-encoded as in a URL. Java's virtual machines take no password from there.

            Where the proxy's listener speaks TLS the lines call it by a name of its certificate, and leave out, with a \
            comment that says so, what is for Java and wget: those speak clear text with every proxy.
            """
    )

    @OptionGroup
    var configurationOption: ConfigurationOption

    @Option(help: "What reads the lines: sh, fish, powershell or dotenv.")
    var shell = ShellDialect.sh

    @Option(help: ArgumentHelp("The client of access.clients that this is.", valueName: "name"))
    var client: String?

    func run() throws {
        let configuration = try configurationOption.load()
        do {
            let environment = try ClientEnvironment.ofRunningProxy(configuration, client: client)
            for sentence in environment.remarks + environment.omissions { StandardError.print("paraph: \(sentence)") }
            if client != nil, shell == .sh {
                StandardOutput.write(
                    ": \"${\(ClientPassword.variable):?set it to the client's password, percent-encoded}\"\n"
                )
            }
            for name in environment.removed { StandardOutput.write(shell.removal(name) + "\n") }
            for (name, value) in environment.variables { StandardOutput.write(shell.assignment(name, value) + "\n") }
            // Last: an eval without quotes makes one line of all, which ends at the first of these.
            for sentence in environment.omissions { StandardOutput.write(shell.comment(sentence) + "\n") }
        } catch let error as EnvError {
            StandardError.print("paraph: \(error)")
            throw error.exitCode
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}

/// The reason why the environment of a running proxy cannot be told.
enum EnvError: Error, Equatable {
    case noFixedPort(file: String)
    case unixSocket(String, file: String)
    case clientNeeded(known: [String])
    case noClients(String)
    case unknownClient(String, known: [String])
    case noAuthority(path: String)

    /// The exit code, as sysexits has it.
    var exitCode: ExitCode {
        switch self {
        case .clientNeeded, .noClients, .unknownClient: .validationFailure
        case .noFixedPort, .unixSocket, .noAuthority: .badData
        }
    }
}

extension EnvError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noFixedPort(let file):
            "listen.proxy in \(file) has port 0, which is another one at each start. Give it a port, or run commands with "
                + "paraph exec."
        case .unixSocket(let path, let file):
            "listen.proxy in \(file) is the Unix domain socket \(path), which no variable can name: programs read a host and a "
                + "port there. Run commands with paraph exec, or have the program connect to the socket itself."
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
