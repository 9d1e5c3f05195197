package import Bytes

/// The facts about one API that routing needs to know. Shared, never copied: a request holds one reference.
package final class APIRoute: Sendable {
    /// The API's place in the list it was configured in.
    package let index: Int
    package let name: String
    package let upstreamScheme: URIScheme
    package let hosts: [HostPattern]
    /// Names of accounts, in the order they were configured in.
    package let accountNames: [String]
    /// Prefixes of the path that may be reached; `nil`: every path.
    package let paths: [String]?
    /// Indicates whether accounts can be enrolled, so that a name which the configuration does not have may still be
    /// one.
    package let acceptsEnrolled: Bool
    /// Methods that may be used, case-sensitive (RFC 9110, section 9.1); `nil`: every method.
    package let methods: [String]?

    /// The fields and parameters that the rules would be passed by with; nil where there are no rules.
    package let overrides: OverrideRules?

    private let accounts: [String: Account]
    let defaultAccount: Account?
    let pathRules: PathRules?
    let methodBytes: [[UInt8]]?

    package init(
        index: Int,
        name: String,
        hosts: [HostPattern],
        accounts accountNames: [String],
        upstreamScheme: URIScheme = .https,
        paths: [String]? = nil,
        methods: [String]? = nil,
        acceptsEnrolled: Bool = false
    ) {
        self.index = index
        self.name = name
        self.hosts = hosts
        self.accountNames = accountNames
        self.upstreamScheme = upstreamScheme
        self.paths = paths
        self.methods = methods
        self.acceptsEnrolled = acceptsEnrolled
        accounts = Dictionary(
            accountNames.enumerated().map { ($1, Account(index: $0, name: $1)) },
            uniquingKeysWith: { first, _ in first }
        )
        defaultAccount = accounts[Account.defaultName]
        pathRules = paths.map(PathRules.init(prefixes:))
        overrides = OverrideRules(methods: methods, paths: paths)
        methodBytes = methods.map { $0.map { Array($0.utf8) } }
    }

    /// Returns whether a path leads elsewhere for some readers, so that no prefix of it can be relied on.
    package static func isAmbiguous(path: String) -> Bool { PathRules.isAmbiguous(path.utf8Span.span) }

    /// Returns the account of a name; nil when there is certainly no such account.
    package func account(named name: String) -> Account? {
        // What merely looks alike (canonical equivalence) is another account.
        if let account = accounts[name], account.name.utf8.elementsEqual(name.utf8) { return account }
        return acceptsEnrolled && Account.isUsable(name: name) ? Account(index: nil, name: name) : nil
    }

    func permits(method: Span<UInt8>) -> Bool {
        guard let methodBytes else { return true }
        return methodBytes.contains { $0.span.equals(method) }
    }
}
