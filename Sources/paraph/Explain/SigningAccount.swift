import Bytes
import Credentials
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings

/// The credentials of an account of the configuration, and the way in which its requests are signed.
struct SigningAccount: Sendable {
    let name: CredentialName
    let oauth1: OAuth1Settings
    /// The scheme that the API's requests are sent with.
    let upstreamScheme: URIScheme
    private let hosts: [HostPattern]
    /// The configuration's.
    private let file: String
    /// The variables that the configuration's secrets are in.
    let secretVariables: [String]
    /// The token and its secret; nil for an account that signs without a token.
    let token: TokenCredentials?

    /// Takes them from the configuration, and the token from the vault where that has it.
    ///
    /// - Parameter load: Reads what the vault holds for the account. Not called for an account that keeps nothing
    ///   there.
    /// - Throws: ``SigningAccountError``.
    init(
        _ name: CredentialName,
        in configuration: Configuration,
        load: () async throws -> StoredCredential?
    ) async throws {
        let (file, apis) = (configuration.file, configuration.proxy.apis)
        guard let api = apis.first(where: { sameBytes($0.name, name.api) }) else {
            throw SigningAccountError.unknownAPI(name, file: file, known: apis.map(\.name))
        }
        guard case .oauth1(let shared) = api.scheme else {
            throw SigningAccountError.signsNothing(name, file: file)
        }
        let account = api.accounts.first { sameBytes($0.name, name.account) }
        self.name = name
        oauth1 = account?.oauth1 ?? shared
        upstreamScheme = api.upstreamScheme
        hosts = api.route.hosts
        self.file = file
        secretVariables = configuration.secretVariables.sorted()
        switch account?.source {
        case .issued(let token): self.token = token
        case .twoLegged: token = nil
        case .reverseAuth, .xAuth, .threeLegged, .password, .bearer, nil:
            let unknown = SigningAccountError.unknownAccount(name, file: file, known: api.accounts.map(\.name))
            if account == nil, !api.route.acceptsEnrolled { throw unknown }
            guard let stored = try await load() else {
                throw account == nil ? unknown : SigningAccountError.notStored(name, vault: configuration.vault.name)
            }
            guard configuration.uses(stored, of: name), case .oauth1(let token) = stored.token else {
                throw SigningAccountError.notUsed(
                    name,
                    vault: configuration.vault.name,
                    reason: stored.unusableReason(for: configuration.credentialUse(of: name))
                )
            }
            self.token = token
        }
    }

    /// Returns a remark on a URL whose host is none of the account's API: the proxy would not sign a request to it.
    func remark(on url: String) -> String? {
        guard let uri = AbsoluteURI(Array(url.utf8).span),
            let scheme = URIScheme(name: uri.scheme.span),
            let authority = try? Authority(
                parsing: String(decoding: uri.authority, as: UTF8.self),
                defaultPort: scheme.defaultPort
            ),
            !hosts.contains(where: { $0.matches(authority, scheme: scheme) })
        else { return nil }
        return "The proxy signs no request to \(authority.fieldValue(defaultPort: scheme.defaultPort)) as \(name): "
            + "it is none of apis.\(name.api).hosts in \(file)."
    }

    /// The token as it is sent: nil is none.
    var sentToken: String? { token?.token ?? (oauth1.options.sendsEmptyToken ? "" : nil) }
}

/// The reason why nothing can be signed as an account of the configuration.
enum SigningAccountError: Error, Equatable {
    case unknownAPI(CredentialName, file: String, known: [String])
    case unknownAccount(CredentialName, file: String, known: [String])
    /// Its requests carry a token, and no signature.
    case signsNothing(CredentialName, file: String)
    case notStored(CredentialName, vault: String)
    case notUsed(CredentialName, vault: String, reason: String)
    /// The vault as a whole; in its own words.
    case vaultUnusable(CredentialName, reason: String)
}

extension SigningAccountError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownAPI(let name, let file, let known):
            "\(name): \(file) has no API of that name; it has: \(Self.list(known))."
        case .unknownAccount(let name, let file, let known):
            "\(name): the API has no account of that name in \(file), and none was enrolled; its accounts are: "
                + "\(Self.list(known))."
        case .signsNothing(let name, let file):
            "\(name): in \(file) the API has no oauth1, so that its requests carry a token and no signature: there is "
                + "nothing to explain or verify."
        case .notStored(let name, let vault):
            "\(name): the vault \(vault) holds no token for it yet. To get it one, run: paraph login "
                + "\(shellQuoted(name.api)) --account \(shellQuoted(name.account))"
        case .notUsed(let name, let vault, let reason):
            "\(name): what the vault \(vault) holds for it is not used: \(reason)."
        case .vaultUnusable(let name, let reason): "\(name): its token cannot be read. \(reason)"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { condensed($0, limit: 100) }.joined(separator: ", ")
    }
}
