import ArgumentParser
import FoundationEssentials
import ParaphConfiguration

/// The names of the configuration, for a shell to complete. No secret is read for them, and mistakes elsewhere in the
/// file do not matter.
struct ConfiguredNames {
    private let names: [(api: String, accounts: [String])]

    /// - Parameter words: The command line as it is typed so far, as a shell tells it: in quotes or without.
    init(words: [String], environment: [String: String]) {
        let location = ConfigurationLocation(option: Self.option("config", in: words), environment: environment)
        names = location.path.map { Configuration.accountNames(path: $0) } ?? []
    }

    var apis: [String] { names.map(\.api) }

    /// The accounts as `API/ACCOUNT`.
    var accounts: [String] { names.flatMap { api in api.accounts.map { "\(api.api)/\($0)" } } }

    /// The names of accounts without their APIs'.
    ///
    /// - Parameter api: The API whose accounts alone are named, if there is one of that name.
    func accountNames(of api: String?) -> [String] {
        let all = names.filter { $0.api == api }
        return Array(Set((all.isEmpty ? names : all).flatMap(\.accounts))).sorted()
    }

    /// Returns the last value of an option; nil where it is not there, or has none.
    private static func option(_ name: String, in words: [String]) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            if word == "--\(name)", index + 1 < words.count { value = unquoted(words[index + 1]) }
            if word.hasPrefix("--\(name)=") { value = unquoted(String(word.dropFirst(name.count + 3))) }
        }
        return value
    }

    private static func unquoted(_ word: String) -> String {
        guard let first = word.first, "'\"".contains(first) else { return word.replacing("\\", with: "") }
        return String(word.dropFirst().prefix { $0 != first })
    }
}

extension ConfiguredNames {
    /// Completes the name of an API.
    static let api = completion { names, _ in names.apis }
    /// Completes `API/ACCOUNT`.
    static let account = completion { names, _ in names.accounts }
    /// Completes the name of an API, or `API/ACCOUNT`.
    static let apiOrAccount = completion { names, _ in names.apis + names.accounts }
    /// Completes the name of an account, of the API that the command line names.
    static let accountName = completion { names, words in
        names.accountNames(of: words.first { names.apis.contains($0) })
    }

    private static func completion(
        _ words: @escaping @Sendable (ConfiguredNames, [String]) -> [String]
    ) -> CompletionKind {
        .custom { line, _, _ in
            words(ConfiguredNames(words: line, environment: ProcessInfo.processInfo.environment), line)
        }
    }
}
