import ArgumentParser
import FoundationEssentials
import OAuthSigning

/// Whose signature `paraph explain` shows.
struct ExplainedCredentials: ParsableArguments {
    @Option(help: "The consumer key.")
    var consumerKey: String?

    @Option(help: ArgumentHelp("An environment variable with the consumer secret.", valueName: "name"))
    var consumerSecretEnv: String?

    @Option(help: ArgumentHelp("A file with the consumer secret.", valueName: "file"))
    var consumerSecretFile: String?

    @Option(help: "The token; none is sent without it.")
    var token: String?

    @Option(help: ArgumentHelp("An environment variable with the token's secret.", valueName: "name"))
    var tokenSecretEnv: String?

    @Option(help: ArgumentHelp("A file with the token's secret.", valueName: "file"))
    var tokenSecretFile: String?

    @Option(help: ArgumentHelp("A PEM file with the private key, for the RSA methods.", valueName: "file"))
    var privateKeyFile: String?

    func validate() throws {
        if consumerSecretEnv != nil, consumerSecretFile != nil {
            throw ValidationError("Give either --consumer-secret-env or --consumer-secret-file.")
        }
        if tokenSecretEnv != nil, tokenSecretFile != nil {
            throw ValidationError("Give either --token-secret-env or --token-secret-file.")
        }
    }

    func consumerSecret() throws(SecretSourceError) -> Secret? {
        try Self.secret(environment: consumerSecretEnv, file: consumerSecretFile)
    }

    func tokenSecret() throws(SecretSourceError) -> Secret? {
        try Self.secret(environment: tokenSecretEnv, file: tokenSecretFile)
    }

    func privateKey() throws(SecretSourceError) -> Secret? {
        try Self.secret(environment: nil, file: privateKeyFile)
    }

    private static func secret(environment name: String?, file: String?) throws(SecretSourceError) -> Secret? {
        if let name {
            guard let value = ProcessInfo.processInfo.environment[name] else { throw .variableNotSet(name) }
            return Secret(value)
        }
        guard let file else { return nil }
        var octets = try FileOctets.read(file)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        return Secret(octets: octets)
    }
}
