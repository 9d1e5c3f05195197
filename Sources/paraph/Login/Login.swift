import ArgumentParser
import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import Glibc
import NIOPosix
import ParaphConfiguration
import Routing
import Settings

/// Gets an account its token and seals it in the vault.
struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Get an account its token, and seal it in the vault.",
        discussion: """
            An account with three_legged needs a person: the authorization address is printed, and opened where there \
            is a browser; the provider sends the browser back to a listener on loopback, or shows a verifier (PIN) to \
            be typed here. xauth, reverse_auth and password accounts need nobody, and are exchanged at once. A proxy \
            that runs notices the new token.

            Exits with 0 when the token is stored, 65 when the configuration has to be changed, 69 when the provider \
            cannot be reached or fails, 77 when it refuses, or the person does.
            """
    )

    @Argument(
        help: "The API, as the configuration names it, or API/ACCOUNT.",
        completion: ConfiguredNames.apiOrAccount
    )
    var api: String

    @Option(
        help: "The account, as the configuration names it: default, where it is left out.",
        completion: ConfiguredNames.accountName
    )
    var account: String?

    @Flag(help: "Only print the authorization address.")
    var noBrowser = false

    @OptionGroup
    var configurationOption: ConfigurationOption

    func validate() throws {
        if account != nil, api.contains("/") {
            throw ValidationError("The account is named twice: write API/ACCOUNT, or API and --account.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        // No API's name has a slash.
        let words = api.split(separator: "/", maxSplits: 1).map(String.init)
        let api = words.first ?? api
        let account = account ?? (words.count > 1 ? words[1] : Account.defaultName)
        let configuration = try await configurationOption.load()
        do {
            let target = try LoginTarget(api: api, account: account, in: configuration)
            let vault = try await BlockingWork.run { try OpenedStore.open(configuration.vault) }
            let credential = try await vault.closing { try await store(target, configuration, in: vault.store) }
            StandardOutput.print(LoginReport(name: target.name, credential: credential).text)
        } catch let error as LoginError {
            throw exit("\(error)", error.exitCode)
        } catch let error as ExchangeFailure {
            throw exit(error.detail, error.exitCode)
        } catch let error as ExitCode {
            throw exit("Interrupted; nothing was stored.", error)
        } catch {
            throw exit("\(error)", .badData)
        }
    }

    private func store(
        _ target: LoginTarget,
        _ configuration: Configuration,
        in vault: any CredentialStore
    ) async throws -> StoredCredential {
        // Before anybody is asked: a token that cannot be stored would be lost.
        try await vault.check()
        try await target.checkPlace(in: vault)
        return try await Interruption.guarding {
            let credential = try await obtain(target, configuration).bound(to: target.binding)
            try await vault.store(credential, for: target.name)
            return credential
        }
    }

    /// Prints a paragraph at once, also where standard output is a pipe.
    private static func say(_ paragraph: String) {
        StandardOutput.print(paragraph)
        fflush(nil)
    }

    private func exit(_ sentence: String, _ code: ExitCode) -> ExitCode {
        StandardError.print("paraph: \(sentence)")
        return code
    }

    private func obtain(_ target: LoginTarget, _ configuration: Configuration) async throws -> StoredCredential {
        let client = try await ProviderClient(
            apis: configuration.proxy.apis,
            networks: configuration.access.networks,
            timeouts: configuration.proxy.timeouts,
            group: MultiThreadedEventLoopGroup.singleton
        )
        let conversation = client.conversation(api: target.apiIndex, correctsClock: target.correctsClock)
        switch target.way {
        case .threeLegged(let settings, let oauth1):
            let environment = ProcessInfo.processInfo.environment
            let browser = await noBrowser ? nil : BlockingWork.run { Browser(environment: environment) }
            let person = ThreeLeggedLogin.Person(
                say: { Self.say($0) },
                lines: StandardInputLines.read(),
                open: { browser?.open($0) }
            )
            return try await ThreeLeggedLogin(settings: settings, oauth1: oauth1, person: person).run(conversation)
        case .exchange(let exchange):
            var line = ProgressLine()
            line.show("Asking the provider for a token of \(target.name)")
            defer { line.end() }
            var credential = try await conversation.run(exchange).get()
            credential.origin = .login
            return credential
        }
    }
}

/// The report on a token that was obtained: whose it is, and never what it is.
struct LoginReport {
    let name: CredentialName
    let credential: StoredCredential

    private static let longestValue = 100

    var text: String {
        let said = credential.attributes.sorted { $0.key < $1.key }.map { name, value in
            "    \(condensed(name, limit: Self.longestValue)): \(condensed(value, limit: Self.longestValue))"
        }
        return (["Stored the token of \(name) in the vault."] + said).joined(separator: "\n")
    }
}

extension ExchangeFailure {
    /// The exit code, as sysexits has it: 65 for what the configuration can correct, 69 for what may pass, 77 for
    /// a refusal.
    var exitCode: ExitCode {
        switch cause {
        case .unreachable, .notTrusted, .timedOut, .limited, .providerFailed, .storeUnavailable: .unavailable
        case .signatureRefused, .clientRefused, .loginRefused, .notPermitted, .tokenRefused, .verifierRefused,
            .clockRefused, .parametersRefused, .refused, .tokenMismatch:
            .refused
        case .settings, .vaultUnreadable, .redirected, .emptyAnswer, .pageAnswered, .unexpectedAnswer,
            .oversizedAnswer, .tokenTypeUnusable, .callbackUnconfirmed, .verifierMissing:
            .badData
        }
    }
}
