import ArgumentParser
import Credentials
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing

/// Tells a shell of the proxy that `paraph run` runs.
struct Env: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the variables that make programs use a proxy that is running.",
        discussion: """
            For eval "$(paraph env)" (sh, bash, zsh), paraph env --shell fish | source, and paraph env --shell \
            powershell | Out-String | Invoke-Expression; or a file in dotenv's form. They are those that paraph exec gives \
            its command. The files that they name (the system's CAs and the local CA, for each kind of program) are \
            written to the folder clients of the state directory, and stay good until the local CA is renewed.

            Where access.clients asks for passwords, the lines name $PARAPH_CLIENT_PASSWORD in place of the password: \
            set that first, percent-encoded as in a URL. Java's virtual machines take no password from there.
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
            for sentence in environment.remarks { StandardError.print("paraph: \(sentence)") }
            if client != nil, shell == .sh {
                StandardOutput.write(
                    ": \"${\(ClientPassword.variable):?set it to the client's password, percent-encoded}\"\n"
                )
            }
            for name in environment.removed { StandardOutput.write(shell.removal(name) + "\n") }
            for (name, value) in environment.variables { StandardOutput.write(shell.assignment(name, value) + "\n") }
        } catch let error as EnvError {
            StandardError.print("paraph: \(error)")
            throw error.exitCode
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}
