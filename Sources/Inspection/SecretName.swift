/// The rule by which the name of a parameter or a field tells that its value may be a secret.
///
/// Too much is left out rather than too little: whoever looks on can do without.
enum SecretName {
    /// Names whose values are shown though a rule would leave them out, in lower case.
    private static let shown: Set<String> = [
        "oauth_consumer_key", "consumer_key", "oauth_signature_method", "x_auth_mode", "idempotency-key",
        "access-control-allow-credentials", "sec-fetch-user", "upgrade-insecure-requests",
    ]

    /// Whole names, in lower case.
    private static let names: Set<String> = ["code", "dpop", "sec-websocket-protocol", "authentication-info"]

    /// Parts of names, in lower case.
    private static let parts = [
        "token", "secret", "passw", "passcode", "passphrase", "pwd", "credential", "signature", "verifier", "assertion",
        "session", "sessid", "apikey", "accesskey", "sharedkey", "private", "jwt", "authcode", "cookie", "saml",
        "authoriz", "authentic",
    ]

    /// Words of names, in lower case.
    private static let words: Set<String> = [
        "key", "pass", "pw", "pin", "otp", "totp", "auth", "sid", "sig", "ticket", "hmac", "cvv", "cvc", "ssn", "nip",
    ]

    /// Words beside which a code is one that is asked for once, in lower case.
    private static let onceWords: Set<String> = [
        "device", "verification", "security", "access", "activation", "reset", "login", "sms", "mfa", "confirmation",
    ]

    /// - Parameter name: Not encoded.
    static func includes(_ name: some StringProtocol) -> Bool {
        let lower = name.lowercased()
        if shown.contains(lower) { return false }
        if names.contains(lower) || parts.contains(where: lower.contains) { return true }
        let found = Set(split(name))
        return !found.isDisjoint(with: words) || found.contains("code") && !found.isDisjoint(with: onceWords)
    }

    /// Returns the words of a name in lower case: `userPass`, `user_pass` and `user[pass]` have the same two.
    private static func split(_ name: some StringProtocol) -> [String] {
        var words = [""]
        var wasLower = false
        for character in name {
            guard character.isLetter else {
                if words.last?.isEmpty == false { words.append("") }
                wasLower = false
                continue
            }
            if wasLower, character.isUppercase { words.append("") }
            words[words.count - 1] += character.lowercased()
            wasLower = character.isLowercase
        }
        return words
    }
}
