import Bytes
import Credentials
import OAuthSigning
import Routing

/// Looks for what a provider will refuse, or answer otherwise than is meant, in an API that could be read.
struct APILint {
    let route: APIRoute
    /// The preset that was named, or whose hosts these are.
    let provider: Preset?
    /// The place for advice on the provider as such.
    let place: Value
    let scheme: SchemeReading
    let accounts: [AccountReading]
    /// Indicates whether several replicas sign for the same accounts.
    let sharesVault: Bool

    init(
        route: APIRoute,
        preset: Preset?,
        place: Value,
        scheme: SchemeReading,
        accounts: [AccountReading],
        sharesVault: Bool
    ) {
        self.route = route
        provider = preset ?? Preset.owning(route.hosts)
        self.place = place
        self.scheme = scheme
        self.accounts = accounts
        self.sharesVault = sharesVault
    }

    func run() {
        if let caveat = provider?.caveat { place.advise(.note, "is \(provider?.title ?? ""): \(caveat)") }
        for block in blocks {
            if let provider { checkProvider(block, provider) }
            if provider?.realm == .netSuiteAccount { checkNetSuiteRealm(block) }
            checkMethod(block)
        }
        for account in accounts {
            if let provider { checkToken(account, provider) }
            if case .threeLegged(let settings) = account.settings.source { checkLogin(settings, account) }
        }
        if scheme.kind == .oauth2 {
            scheme.value?.adviseAtKey(
                .note,
                "is the password grant, which puts users' passwords into this machine's hands (RFC 6749, section 10.7); "
                    + "RFC 9700, section 2.4, advises against it: keep it for providers that offer nothing else"
            )
        }
    }

    /// The blocks that requests are signed by. The API's own block counts only where an account uses it.
    private var blocks: [OAuth1Block] {
        let own = route.acceptsEnrolled || accounts.isEmpty ? scheme.oauth1.map { [$0] } ?? [] : []
        return own + accounts.compactMap(\.oauth1)
    }

    private func checkProvider(_ block: OAuth1Block, _ provider: Preset) {
        let method = block.draft.options.signatureMethod
        if !provider.signatureMethods.contains(method) {
            let words = alternatives(provider.signatureMethods.map(\.rawValue))
            block.place("signature_method").advise(
                .warning,
                "signs with \(method.rawValue), but \(provider.title) takes \(words)"
            )
        }
        if provider.options.bodyHash == .always, block.draft.options.bodyHash != .always {
            block.place("body_hash").advise(
                .warning,
                "leaves bodies without a hash, but \(provider.title) verifies one of every body; write body_hash: always"
            )
        }
        if provider.options.bodyHash != .always, block.draft.options.bodyHash == .always {
            block.place("body_hash").advise(
                .warning,
                "hashes forms and does not sign their fields, but \(provider.title) verifies the fields and no hash; "
                    + "write body_hash: off"
            )
        }
        if provider.timestamps == .monotonic, block.draft.timestamps == .wall {
            block.place("timestamp").advise(
                .warning,
                "lets a timestamp be smaller than one before it, which \(provider.title) refuses; "
                    + (sharesVault ? "have one proxy alone sign for it" : "write timestamp: monotonic")
            )
        }
        if provider.options.placement == .query, block.draft.options.placement == .header, route.upstreamScheme == .http
        {
            block.place("placement").advise(
                .warning,
                "puts the signature into the Authorization field, which some hosting takes away; write placement: query"
            )
        }
    }

    /// The beginning of the bearer tokens that X makes for applications.
    private static let bearerToken = "AAAAAAAAAAAAAAAA"

    /// Checks for a bearer token of an application, and for a token where the client's credentials are all: there it is
    /// a parameter that the provider does not know.
    private func checkToken(_ account: AccountReading, _ provider: Preset) {
        if provider.name == Preset.twitter.name, account.oauth1 != nil,
            case .issued(let token) = account.settings.source, token.token.hasPrefix(Self.bearerToken)
        {
            account.value.adviseAtKey(
                .warning,
                "has an application's bearer token, by which nothing is signed; access tokens of \(provider.title)'s "
                    + "users begin with the user's number and -"
            )
        }
        guard provider.ways == [.twoLegged], account.oauth1 != nil else { return }
        if case .twoLegged = account.settings.source { return }
        account.value.adviseAtKey(
            .warning,
            "signs with a token, but \(provider.title) knows none; write two_legged: true instead"
        )
    }

    private func checkMethod(_ block: OAuth1Block) {
        let method = block.draft.options.signatureMethod
        if method == .plaintext, route.upstreamScheme == .http {
            block.place("signature_method").advise(
                .warning,
                "is PLAINTEXT, which sends the secrets themselves, and upstream: http shows them to everyone on the way "
                    + "(RFC 5849, section 3.4.4)"
            )
        }
        if method == .rsaSHA1, provider?.options.signatureMethod != .rsaSHA1 {
            block.place("signature_method").advise(
                .note,
                "is RSA-SHA1, a signature over SHA-1, for which collisions are known; choose RSA-SHA256 if the provider "
                    + "takes it"
            )
        }
        if method == .hmacSHA1, provider?.name == Preset.magento.name {
            block.place("signature_method").advise(.note, "is HMAC-SHA1, which only old versions of Magento take")
        }
    }

    private func checkLogin(_ settings: ThreeLeggedSettings, _ account: AccountReading) {
        guard let provider else { return }
        let given = Set(settings.authorizeParameters.map(\.name))
        let missing = provider.authorizeParameters.filter { !given.contains($0.name) }
        if !missing.isEmpty {
            account.value.adviseAtKey(
                .warning,
                "has no \(alternatives(missing.map(\.name))) among its authorize_parameters, so \(provider.title) "
                    + missing.map(\.consequence).joined(separator: ", and ")
            )
        }
        if provider.needsRegisteredCallback, settings.callback == .loopback {
            account.value.adviseAtKey(
                .warning,
                "has no callback of its own, but \(provider.title) takes only one that is registered; write callback: oob "
                    + "or the registered URL"
            )
        }
    }
}

extension APILint {
    /// NetSuite's realm follows from its host; another is certain to be refused.
    func checkNetSuiteRealm(_ block: OAuth1Block) {
        let accounts = route.hosts.compactMap(\.netSuiteAccount)
        let place = block.place("realm")
        let written = block.draft.options.realm
        guard let meant = accounts.first else {
            // A host that is not named after the account.
            if written == nil, !route.hosts.isEmpty {
                report(place, "NetSuite needs a realm, the account id, like 1234567_SB1")
            }
            return
        }
        guard let written else {
            report(place, "NetSuite needs its realm, \(meant.realm)")
            return
        }
        if !accounts.contains(where: { $0.realm == written }) {
            let near = NearestWord.to(written, among: [meant.realm])
            let word = ShownName.word(written, near: near)
            let other =
                word == ShownName.hidden ? "not what is written here" : "you wrote \(word.dropFirst().dropLast())"
            report(place, "NetSuite's realm is \(meant.realm), \(other)")
        }
    }

    private func report(_ place: Value, _ message: String) {
        place.context.reportOnce("\(place.path): \(message)", at: place.position)
    }
}
