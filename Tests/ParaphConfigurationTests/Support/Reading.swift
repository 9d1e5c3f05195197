import Foundation
import ParaphConfiguration

/// Reads a configuration from text; relative paths start at the working directory.
func read(_ yaml: String, environment: [String: String] = [:]) throws(ConfigurationMistakes) -> Configuration {
    try Configuration.read(Array(yaml.utf8), file: "paraph.yaml", environment: environment)
}

/// The mistakes of a text, `LINE:COLUMN: message` each; empty when it is good.
func mistakes(_ bytes: some Sequence<UInt8>, environment: [String: String] = [:]) -> [String] {
    do {
        _ = try Configuration.read(Array(bytes), file: "paraph.yaml", environment: environment)
        return []
    } catch {
        return error.mistakes.map { "\($0.position.line):\($0.position.column): \($0.message)" }
    }
}

enum Minimal {
    /// The shortest good configuration. Every secret in it holds the word that no message may hold.
    static let yaml = """
        apis:
          t:
            hosts: [api.example.com]
            oauth1:
              consumer_key: key
              consumer_secret: s3cr3t-consumer
            accounts:
              default: {token: token, token_secret: s3cr3t-token}

        """

    /// The configuration with more keys for its API, a line each, without indentation.
    static func withAPI(_ lines: String) -> String {
        yaml + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    /// The configuration with more keys under oauth1.
    static func withOAuth1(_ lines: String) -> String {
        let more = lines.split(separator: "\n").map { "      \($0)\n" }.joined()
        return yaml.replacingOccurrences(of: "      consumer_key: key\n", with: "      consumer_key: key\n\(more)")
    }
}
