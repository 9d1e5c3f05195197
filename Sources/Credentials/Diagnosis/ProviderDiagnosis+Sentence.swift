import OAuthSigning
import SignatureComparison

extension ProviderDiagnosis {
    private static let limit = 300
    /// A clock that is off by so much may be why a provider says no without saying why; five minutes are usual.
    private static let suspiciousOffset: UInt64 = 120

    /// Returns what is wrong and what to do, in a sentence or two and the provider's own words: printable ASCII, at
    /// most 300 characters.
    package func sentence(_ context: Context) -> String {
        let remedy = Self.ascii(remedy(context), limit: Self.limit)
        let said = Self.ascii(words, limit: Self.limit)
        let lead = " It said: "
        let room = Self.limit - remedy.utf8.count - lead.utf8.count
        guard !said.isEmpty, room >= 20 else { return remedy }
        return remedy + lead + Self.ascii(words, limit: room)
    }

    private func remedy(_ context: Context) -> String {
        let cause = cause(in: context)
        if context.authorization == .accessToken, let remedy = tokenRemedy(of: cause, context) { return remedy }
        switch cause {
        case .timestampRefused:
            return clock(context)
        case .nonceUsed:
            return
                "Nonce used: the provider has had this nonce before. Look for something on the way that sends requests "
                + "twice; if it wants later timestamps each time, set timestamp: monotonic."
        case .signatureInvalid:
            return signature(context)
        case .signatureMethodRejected:
            return "Signature method refused: set signature_method of \(context.api) to one that the provider takes."
        case .bodyHashWrong:
            return "Body hash wrong: the provider hashes the body otherwise, or saw another one. Check body_hash of "
                + "\(context.api), and what changes bodies on the way."
        case .versionRejected:
            let range = acceptableVersions.map { " (it takes \($0))" } ?? ""
            return "Version refused\(range): check include_version of \(context.api)."
        case .parameterAbsent:
            return "Parameters missing\(list(missingParameters)): the provider did not see them. Check placement and "
                + "signing of \(context.api); some hosts drop Authorization."
        case .parameterRejected where rejectedParameters == ["oauth_callback"]:
            return context.loginCommand == nil
                ? "Callback refused: oauth_callback of the request is not one that is registered with the provider."
                : "Callback refused: set callback of \(context.name) to one that is registered with the provider, or oob."
        case .parameterRejected:
            return "Parameters refused\(list(rejectedParameters)): the provider does not take them as they were sent; "
                + "check signing of \(context.api)."
        case .consumerKeyUnknown:
            return "Consumer key unknown: check consumer_key of \(context.api), and that it is one for this host."
        case .consumerKeyRefused:
            return
                "Consumer key refused: it is blocked, expired or throttled, or its access level does not reach this. "
                + "Look at the application at the provider."
        case .tokenRefused:
            return token(context)
        case .verifierRefused:
            return "Verifier refused: log in again and take the new verifier."
        case .credentialsMissing:
            return
                "The provider saw no credentials that it understands: check placement of \(context.api), and whether "
                + "something on the way drops Authorization."
        case .realmWrong:
            return realmSentence(context)
        case .authenticationUnsupported:
            return
                "Kind of credentials refused: \(context.name) \(Self.kind(context)), which the provider does not take "
                + "for this request. Use an account of a kind that it takes."
        case .permissionDenied:
            return permission(context)
        case .accountLocked:
            return "Account locked or suspended: log in as \(context.name) on the provider's own site, and see what it "
                + "says."
        case .limited:
            return "The provider allows no more requests for now: wait."
        case .unknown:
            return unknown(context)
        }
    }

    private func clock(_ context: Context) -> String {
        guard let offset = context.clockOffset, offset.magnitude > 5 else {
            let range = acceptableTimestamps.map { " (it takes \($0.lowerBound) to \($0.upperBound))" } ?? ""
            return
                "Timestamp refused\(range): set this machine's clock. If the clocks agree, the provider may want later "
                + "timestamps each time: set timestamp: monotonic."
        }
        let remedy =
            switch context.clockCorrection {
            case .off: "Set this machine's clock, or clock_correction: on."
            case .on: "Set this machine's clock."
            case .clearText: "Set this machine's clock; clock_correction follows none over upstream: http."
            }
        return "Timestamp refused: \(Self.difference(offset)). \(remedy)"
    }

    private func signature(_ context: Context) -> String {
        if let expectedBaseString, let own = context.baseString {
            guard let parting = BaseStringParting(ours: own, theirs: expectedBaseString) else {
                return "Signature invalid: the provider signs the same base string, so that "
                    + (context.usesPrivateKey ? "the key" : "a secret")
                    + " of \(context.name) is wrong: \(Self.keys(context, joinedBy: ", or "))."
                    + Self.otherToken(context)
            }
            return "Signature invalid: the provider signs another base string. First difference: \(parting.place)."
        }
        let keys = Self.keys(context, joinedBy: " and ")
        return "Signature invalid: check \(keys) of \(context.name), and signature_method."
            + Self.otherToken(context) + suspicion(context)
    }

    /// Returns the names of the keys that the request was signed with, as far as the configuration can be wrong about
    /// them.
    private static func keys(_ context: Context, joinedBy word: String) -> String {
        if context.usesPrivateKey { return "private_key" }
        guard context.authorization == .clientAndToken, !hasForeignToken(context) else { return "consumer_secret" }
        return "consumer_secret\(word)the token's secret"
    }

    /// Returns whether the token is not one of the configuration.
    private static func hasForeignToken(_ context: Context) -> Bool {
        context.isEnrolled || context.loginCommand != nil
    }

    private static func otherToken(_ context: Context) -> String {
        guard context.authorization == .clientAndToken, !context.usesPrivateKey, hasForeignToken(context) else {
            return ""
        }
        return " If they are right, the token's secret is not: \(renewal(context))"
    }

    private func token(_ context: Context) -> String {
        guard context.authorization != .clientAlone else {
            return "Token refused: but \(context.name) is two_legged and sends none. If the provider wants one, give "
                + "the account token and token_secret, or three_legged."
        }
        return "Token refused: it is expired, revoked or unknown. \(Self.renewal(context))"
    }

    /// Returns how the account gets another token.
    static func renewal(_ context: Context) -> String {
        if let command = context.loginCommand { return "Run `\(command)`." }
        if context.isRenewable { return "A new one is had for \(context.name) by itself." }
        if context.isEnrolled { return "Register \(context.name) again with a new one (POST /register)." }
        return "Put a new one in the configuration of \(context.name)."
    }

    private func permission(_ context: Context) -> String {
        let lead = "Permission denied: the application or \(context.name) lacks a permission for this. Grant it at the "
        // Magento says so too where it saw no credentials.
        let end = dialect == .magento ? " A guest is told the same: some hosts drop Authorization." : ""
        if let command = context.loginCommand { return lead + "provider, then run `\(command)`.\(end)" }
        if context.authorization == .clientAlone { return lead + "provider.\(end)" }
        let renewal = context.isEnrolled ? "register with a new token." : "get a new token."
        return lead + "provider, then " + renewal + end
    }

    private static func kind(_ context: Context) -> String {
        switch context.authorization {
        case .accessToken: "carries an access token"
        case .clientAlone: "signs without a token"
        case .clientAndToken: "signs with a user's token"
        }
    }

    private func unknown(_ context: Context) -> String {
        let scheme = otherScheme.flatMap { Self.schemeNames[$0] }
        if let name = scheme, words.isEmpty {
            return "The server asks for a name and a password (WWW-Authenticate: \(name)): something that stands "
                + "before the API guards it, or it takes no OAuth here. Else check the credentials of \(context.name)."
        }
        let lead =
            unreadBody.map { "The provider refuses the request, and its answer could not be read (\($0))" }
            ?? (words.isEmpty
                ? "The provider refuses the request and does not say why"
                : "The provider refuses the request for a reason that is not known here")
        let asked = scheme.map { ", and asks for a name and a password (WWW-Authenticate: \($0))" } ?? ""
        let credentials =
            context.isEnrolled
            ? "register \(context.name) again (POST /register), or check the credentials of \(context.api)."
            : "check the credentials of \(context.name)."
        return "\(lead)\(asked): \(credentials)" + suspicion(context)
    }

    private static let schemeNames = ["basic": "Basic", "digest": "Digest"]

    private func realmSentence(_ context: Context) -> String {
        let expected = realm.map { " The provider's is \"\($0)\"." } ?? ""
        let sent = context.realm.map { "\(context.api) sends \"\($0)\"" } ?? "\(context.api) sends none"
        return "Realm wrong: \(sent). NetSuite's is the account id, in upper case and with _ (1234567_SB1).\(expected)"
    }

    private func suspicion(_ context: Context) -> String {
        guard context.authorization != .accessToken, let offset = context.clockOffset,
            offset.magnitude >= Self.suspiciousOffset
        else { return "" }
        return " But \(Self.difference(offset)): set the clock first."
    }

    private static func difference(_ offset: Int64) -> String {
        "the provider's clock is \(offset.magnitude) s \(offset > 0 ? "ahead of" : "behind") this machine's"
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "" : " (\(names.prefix(4).joined(separator: ", "))\(names.count > 4 ? ", ..." : ""))"
    }

    /// Other characters become `?`, what is too long is cut and marked.
    private static func ascii(_ text: String, limit: Int) -> String {
        let mapped = text.unicodeScalars.map { scalar -> String in
            scalar == "…" ? "..." : 0x20...0x7E ~= scalar.value ? String(scalar) : "?"
        }.joined()
        return mapped.utf8.count <= limit ? mapped : String(mapped.prefix(limit - 3)) + "..."
    }
}
