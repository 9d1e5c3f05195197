import ArgumentParser
import OAuthSigning

/// The credentials whose signature `paraph explain` shows.
struct ExplainedCredentials: ParsableArguments {
    @Option(help: "The consumer key.")
    var consumerKey: String?

    @Option(help: "The token; none is sent without it.")
    var token: String?

    @OptionGroup
    var secrets: SharedSecrets

    @Option(help: ArgumentHelp("A PEM file with the private key, for the RSA methods.", valueName: "file"))
    var privateKeyFile: String?

    func privateKey() throws(SecretSourceError) -> Secret? {
        guard let privateKeyFile else { return nil }
        return Secret(bytes: try GivenFile.read(privateKeyFile))
    }
}
