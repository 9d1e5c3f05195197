import OAuthSigning

extension ProviderDiagnosis {
    private static let limit = 300
    /// A clock that is off by so much may be why a provider says no without saying why; five minutes are usual.
    private static let suspiciousOffset: UInt64 = 120

    /// What is wrong and what to do, in a sentence or two and the provider's own words: printable ASCII, at most 300
    /// characters.
    package func sentence(_ context: Context) -> String {
        let remedy = Self.ascii(remedy(context), limit: Self.limit)
        let said = Self.ascii(words, limit: Self.limit)
        let lead = " It said: "
        let room = Self.limit - remedy.utf8.count - lead.utf8.count
        guard !said.isEmpty, room >= 20 else { return remedy }
        return remedy + lead + Self.ascii(words, limit: room)
    }

    private func remedy(_ context: Context) -> String {
        let account = "\(context.api)/\(context.account)"
        switch cause(in: context) {
        case .timestampRefused:
            return clock(context)
        case .nonceUsed:
            return
                "Nonce used: the provider has had this nonce before. Look for something on the way that sends requests "
                + "twice; if it wants later timestamps each time, set timestamp: monotonic."
        case .signatureInvalid:
            return signature(context, account)
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
        case .parameterRejected:
            return "Parameters refused\(list(rejectedParameters)): the provider does not take them as they were sent; "
                + "check signing of \(context.api)."
        case .consumerKeyUnknown:
            return "Consumer key unknown: check consumer_key of \(context.api), and that it is one for this host."
        case .consumerKeyRefused:
            return "Consumer key refused: it is blocked, expired or throttled. Look at the application's state at the "
                + "provider."
        case .tokenRefused:
            return token(context, account)
        case .verifierRefused:
            return "Verifier refused: log in again and take the new verifier."
        case .credentialsMissing:
            return
                "The provider saw no credentials that it understands: check placement of \(context.api), and whether "
                + "something on the way drops Authorization."
        case .realmWrong:
            return realmSentence(context)
        case .permissionDenied:
            return "Permission denied: the application or \(account) lacks a permission for this. Grant it at the "
                + "provider" + (context.loginCommand.map { ", then run `\($0)`." } ?? ", then get a new token.")
        case .accountLocked:
            return "Account locked: log in as \(account) on the provider's own site and unlock it."
        case .limited:
            return "The provider allows no more requests for now: wait."
        case .unknown:
            return "The provider refuses the request and does not say why: check the credentials of \(account)."
                + suspicion(context)
        }
    }

    private func clock(_ context: Context) -> String {
        guard let offset = context.clockOffset, offset.magnitude > 5 else {
            let range = acceptableTimestamps.map { " (it takes \($0.lowerBound) to \($0.upperBound))" } ?? ""
            return
                "Timestamp refused\(range): set this machine's clock. If the clocks agree, the provider may want later "
                + "timestamps each time: set timestamp: monotonic."
        }
        return "Timestamp refused: \(Self.difference(offset)). Set this machine's clock, or clock_correction: on."
    }

    private func signature(_ context: Context, _ account: String) -> String {
        if let expectedBaseString, let own = context.baseString {
            guard let parting = BaseStringParting(ours: own, theirs: expectedBaseString) else {
                return "Signature invalid: the provider signs the same base string, so that a secret of \(account) is "
                    + "wrong: consumer_secret, or the token's."
            }
            return "Signature invalid: the provider signs another base string. First difference: \(parting.place)."
        }
        return "Signature invalid: check consumer_secret and the token's secret of \(account), and signature_method."
            + suspicion(context)
    }

    private func token(_ context: Context, _ account: String) -> String {
        let refused = "Token refused: it is expired, revoked or unknown."
        if let command = context.loginCommand { return "\(refused) Run `\(command)`." }
        if context.isRenewable { return "\(refused) A new one is had for \(account) by itself." }
        return "\(refused) Put a new one in the configuration of \(account)."
    }

    private func realmSentence(_ context: Context) -> String {
        let expected = realm.map { " The provider's is \"\($0)\"." } ?? ""
        let sent = context.realm.map { "\(context.api) sends \"\($0)\"" } ?? "\(context.api) sends none"
        return "Realm wrong: \(sent). NetSuite's is the account id, in upper case and with _ (1234567_SB1).\(expected)"
    }

    private func suspicion(_ context: Context) -> String {
        guard let offset = context.clockOffset, offset.magnitude >= Self.suspiciousOffset else { return "" }
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
