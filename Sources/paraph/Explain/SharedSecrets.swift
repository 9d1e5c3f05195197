import ArgumentParser
import FoundationEssentials
import OAuthSigning

/// The places of the two shared secrets: never on the command line, where every user of the machine could read them.
struct SharedSecrets: ParsableArguments {
    @Option(help: ArgumentHelp("An environment variable with the consumer secret.", valueName: "name"))
    var consumerSecretEnv: String?

    @Option(help: ArgumentHelp("A file with the consumer secret.", valueName: "file"), completion: .file())
    var consumerSecretFile: String?

    @Option(help: ArgumentHelp("An environment variable with the token's secret.", valueName: "name"))
    var tokenSecretEnv: String?

    @Option(help: ArgumentHelp("A file with the token's secret.", valueName: "file"), completion: .file())
    var tokenSecretFile: String?

    /// The variables that they are in.
    var variables: [String] { [consumerSecretEnv, tokenSecretEnv].compactMap(\.self) }

    /// Indicates whether any of the options is given.
    var isGiven: Bool {
        [consumerSecretEnv, consumerSecretFile, tokenSecretEnv, tokenSecretFile].contains { $0 != nil }
    }

    func validate() throws {
        if consumerSecretEnv != nil, consumerSecretFile != nil {
            throw ValidationError("Give either --consumer-secret-env or --consumer-secret-file.")
        }
        if tokenSecretEnv != nil, tokenSecretFile != nil {
            throw ValidationError("Give either --token-secret-env or --token-secret-file.")
        }
    }

    /// Reads both secrets. The variables that they were in are taken out of this process's environment.
    func read() async throws(SecretSourceError) -> (consumer: Secret?, token: Secret?) {
        defer { VariableWiping.wipe(variables) }
        return (
            consumer: try await Self.secret(environment: consumerSecretEnv, file: consumerSecretFile),
            token: try await Self.secret(environment: tokenSecretEnv, file: tokenSecretFile)
        )
    }

    /// Returns the secret that a variable or a file holds; nil where neither is named.
    static func secret(environment name: String?, file: String?) async throws(SecretSourceError) -> Secret? {
        if let name {
            guard let value = ProcessInfo.processInfo.environment[name] else { throw .variableNotSet(name) }
            return Secret(value)
        }
        guard let file else { return nil }
        var bytes = try await GivenFile.read(file)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return Secret(bytes: bytes)
    }
}

/// The credentials whose signature `paraph explain` shows.
struct ExplainedCredentials: ParsableArguments {
    @Option(help: "The consumer key.")
    var consumerKey: String?

    @Option(help: "The token; none is sent without it.")
    var token: String?

    @OptionGroup
    var secrets: SharedSecrets

    @Option(
        help: ArgumentHelp("A PEM file with the private key, for the RSA methods.", valueName: "file"),
        completion: .file()
    )
    var privateKeyFile: String?

    /// Indicates whether any of the options is given.
    var isGiven: Bool { consumerKey != nil || token != nil || privateKeyFile != nil || secrets.isGiven }

    func privateKey() async throws(SecretSourceError) -> Secret? {
        guard let privateKeyFile else { return nil }
        return Secret(bytes: try await GivenFile.read(privateKeyFile))
    }
}
