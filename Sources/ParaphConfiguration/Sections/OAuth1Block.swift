import Credentials
import OAuthSigning
import Routing

/// An `oauth1` block: of an API, or of an account that overrides its API's field by field.
struct OAuth1Block {
    private(set) var draft: OAuth1Draft
    /// The API's block, or this one when it is the API's.
    let home: Value
    /// The places of the fields, those that are taken over included.
    private var places: [String: Value]
    private var privateKeyValue: Value?
    private var realmValue: Value?
    private var bodyHashValue: Value?
    private let section: Section

    /// - Parameters:
    ///   - inherited: The API's block, when this is an account's.
    ///   - preset: The preset that fills the API's block.
    ///   - firstHost: The API's first host, which a preset may take the realm from.
    init(_ section: Section, inherited: OAuth1Block?, preset: Preset? = nil, firstHost: HostPattern? = nil) {
        self.section = section
        home = inherited?.home ?? section.value
        places = inherited?.places ?? [:]
        for key in ["signature_method", "realm", "body_hash", "placement", "timestamp"] {
            if let value = section[key] { places[key] = value }
        }
        draft = inherited?.draft ?? OAuth1Draft(preset)
        section["timestamp"]?.choice().map { draft.timestamps = $0 }
        section["clock_correction"]?.isOn().map { draft.correctsClock = $0 }
        let (key, secret) = (section["consumer_key"], section["consumer_secret"])
        if let key { draft.consumerKey = key.identifier()?.revealed() }
        if let key, key.scalar?.contains(" ") == true {
            key.advise(.warning, "holds a blank, which is unusual in a key; see whether it is one that was copied")
        }
        if let secret { draft.consumerSecret = secret.secret(allowsEmpty: true) }
        adviseOnForms(key: key, secret: secret)
        privateKeyValue = section["private_key"]
        if let privateKeyValue { draft.privateKey = privateKeyValue.privateKey() }
        section["signature_method"]?.choice().map { draft.options.signatureMethod = $0 }
        realmValue = section["realm"]
        if let realmValue { draft.options.realm = realmValue.isNull ? nil : realmValue.word() }
        bodyHashValue = section["body_hash"]
        bodyHashValue?.choice().map { draft.options.bodyHash = $0 }
        section["placement"]?.choice().map { draft.options.placement = $0 }
        if preset?.realm == .netSuiteAccount, realmValue == nil, draft.options.placement == .header {
            draft.options.realm = firstHost?.netSuiteAccount?.realm
        }
        section["empty_token"]?.choice(of: EmptyToken.self).map { draft.options.sendsEmptyToken = $0 == .send }
        section["include_version"]?.isOn().map { draft.options.includesVersion = $0 }
        section.finish()
    }

    /// Looks for a key and a secret that are exchanged, or the same.
    private func adviseOnForms(key: Value?, secret: Value?) {
        if let key, draft.consumerKey.map({ Self.isWooCommerce($0, "cs_") }) == true {
            key.advise(.warning, "looks like a consumer secret of WooCommerce (cs_…); its consumer keys begin with ck_")
        }
        guard let secret, let consumerSecret = draft.consumerSecret else { return }
        if Self.isWooCommerce(consumerSecret.revealed(), "ck_") {
            secret.advise(
                .warning,
                "looks like a consumer key of WooCommerce (ck_…); its consumer secrets begin with cs_"
            )
        } else if let consumerKey = draft.consumerKey, !["", "anonymous"].contains(consumerKey),
            consumerSecret == Secret(consumerKey)
        {
            secret.advise(.warning, "is the same as consumer_key; see which of the two was copied twice")
        }
    }

    /// Returns whether a text is one that WooCommerce makes: a prefix and 40 hexadecimal digits.
    private static func isWooCommerce(_ text: String, _ prefix: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 43 && text.dropFirst(3).allSatisfy(\.isHexDigit)
    }

    /// Returns the place for advice on a field: the field itself, or the API's block when none is written.
    func place(_ key: String) -> Value { places[key] ?? home }

    /// Reports timestamps that rise, where several replicas sign for the same accounts.
    func checkSharedTimestamps() {
        guard draft.timestamps == .monotonic else { return }
        let place = place("timestamp")
        let isWritten = places["timestamp"] != nil
        home.context.reportOnce(
            "\(place.path) \(isWritten ? "is" : "has timestamp:") monotonic, by which each proxy counts by itself, and vault.etcd is for "
                + "several: a provider that wants rising timestamps would refuse those of the others. Write timestamp: wall, "
                + "or vault.directory, for one proxy",
            at: place.position
        )
    }

    private enum EmptyToken: String, CaseIterable {
        case omit, send
    }

    /// The settings, when every field is there that the signature method needs. Reports those that are not.
    func settings() -> OAuth1Settings? {
        checkTogether()
        let method = draft.options.signatureMethod
        if draft.consumerKey == nil, section.lacks("consumer_key") { section.value.reportAtKey("lacks consumer_key") }
        if !method.isRSA, draft.consumerSecret == nil, section.lacks("consumer_secret") {
            section.value.reportAtKey("lacks consumer_secret, which \(method.rawValue) signs with")
        }
        if method.isRSA, draft.privateKey == nil, section.lacks("private_key") {
            section.value.reportAtKey("lacks private_key, which \(method.rawValue) signs with")
        }
        return draft.settings
    }

    private func checkTogether() {
        let method = draft.options.signatureMethod
        if let privateKeyValue, !method.isRSA {
            privateKeyValue.reportAtKey("is of no use with \(method.rawValue); remove it or choose an RSA method")
        }
        if draft.options.realm != nil, draft.options.placement != .header {
            if let realmValue {
                realmValue.reportAtKey("is sent in the Authorization field only; remove it or set placement: header")
            } else {
                section.value.reportAtKey(
                    "takes over the API's realm, which is sent in the Authorization field only; set realm: null or "
                        + "placement: header"
                )
            }
        }
        if draft.options.bodyHash == .always, draft.options.placement == .body {
            (bodyHashValue ?? section.value).reportAtKey(
                "cannot be always with placement: body, since a body cannot carry its own hash"
            )
        }
    }
}

extension Value {
    /// A PEM private key, as a secret.
    fileprivate func privateKey() -> RSASigningKey? {
        guard let pem = secret(isLine: false) else { return nil }
        do {
            return try RSASigningKey(pem: pem)
        } catch {
            let words = error == .privateKeyUnreadable ? PrivateKeyForm.words(on: pem) : nil
            report(words ?? "cannot be used: \(error)")
            return nil
        }
    }
}
