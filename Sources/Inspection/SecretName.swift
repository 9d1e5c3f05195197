import Bytes

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
    private static let names: Set<String> = ["dpop", "sec-websocket-protocol", "authentication-info", "id_hint"]

    /// Parts of names, in lower case.
    private static let parts = [
        "token", "secret", "passw", "passcode", "passphrase", "pwd", "credential", "signature", "verifier", "assertion",
        "session", "sessid", "apikey", "accesskey", "sharedkey", "private", "jwt", "authcode", "cookie", "saml",
        "authoriz", "authentic", "bearer", "psw", "pincode",
    ]

    /// Beginnings and ends of words of names, in lower case.
    private static let ends = ["otp", "mfa"]

    /// Ends of names of codes that are no secrets, in lower case and without what stands between their words.
    private static let harmlessCodes = [
        "countrycode", "languagecode", "langcode", "localecode", "regioncode", "areacode", "zipcode", "postalcode",
        "postcode", "statuscode", "statecode", "errorcode", "responsecode", "resultcode", "reasoncode", "currencycode",
        "productcode", "barcode", "geocode", "unicode",
    ]

    /// The bytes of a segment of a path that is no word of a language, whatever it is made of.
    static let longestWord = 20
    /// The first three letters of a JSON Web Token, `eyJ`, as ``beginnings`` has them.
    private static let tokenBeginning = 5 << 10 | 25 << 5 | 10

    /// The bytes of a name that is looked into; the value of a longer one is left out.
    private static let longest = 256

    /// Words of names, in lower case.
    private static let words: Set<String> = [
        "key", "pass", "pw", "pin", "otp", "totp", "auth", "sid", "sig", "ticket", "hmac", "cvv", "cvc", "ssn", "nip",
        "sess", "cred", "creds", "csrf", "xsrf", "refresh",
    ]

    /// Words beside which a code is one that is asked for once, in lower case.
    private static let onceWords: Set<String> = [
        "device", "verification", "security", "access", "activation", "reset", "login", "sms", "mfa", "confirmation",
    ]

    /// The first three letters of all that tells a name, as the bits of five of each letter: no name is told without
    /// them.
    private static let beginnings: [UInt64] = {
        var bits = [UInt64](repeating: 0, count: 1 << 9)
        for text in names.union(parts).union(ends).union(words).union(["code", "key"]) {
            let letters = text.utf8.filter { $0 > 0x60 }.prefix(3)
            // Before one of two letters there may be any, or none.
            for first in letters.count < 3 ? 0..<32 : 0..<1 {
                let index = letters.reduce(first) { $0 << 5 | Int($1 & 0x1F) }
                bits[index >> 6] |= 1 << UInt64(index & 63)
            }
        }
        return bits
    }()

    /// Returns whether a path has nothing of what ``Redaction/path(_:)`` leaves out, as far as one look at its bytes
    /// tells: of any other it returns false, and of some that have nothing either.
    static func isAbsent(fromPath path: Span<UInt8>) -> Bool {
        let beginnings = beginnings
        var (letters, length) = (0, 0)
        var (isWord, mayBeName, followsName) = (true, false, false)
        for index in path.indices {
            let byte = path[index]
            switch byte {
            case _ where byte.isLowercase: break
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                length += 1
                continue
            case _ where byte.isUppercase: isWord = false
            case _ where byte.isDigit:
                (length, isWord) = (length + 1, false)
                continue
            case UInt8(ascii: "/"):
                if followsName, !isWord || length >= longestWord || length == 0 { return false }
                (letters, length) = (0, 0)
                (isWord, mayBeName, followsName) = (true, false, mayBeName)
                continue
            default: return false
            }
            length += 1
            letters = (letters << 5 | Int(byte & 0x1F)) & 0x7FFF
            mayBeName = mayBeName || beginnings[letters >> 6] >> UInt64(letters & 63) & 1 == 1
            if letters == tokenBeginning || length > longest { return false }
        }
        return !followsName || isWord && length < longestWord
    }

    /// - Parameter name: The name, not encoded.
    static func includes(_ name: some StringProtocol) -> Bool {
        guard name.utf8.count <= longest else { return true }
        let lower = name.lowercased()
        if shown.contains(lower) { return false }
        if names.contains(lower) || parts.contains(where: lower.contains) { return true }
        let found = Set(split(name))
        if !found.isDisjoint(with: words) { return true }
        if found.contains(where: { word in ends.contains { word.hasPrefix($0) || word.hasSuffix($0) } }) { return true }
        if found.contains("code"), !found.isDisjoint(with: onceWords) { return true }
        // Whatever stands around it: `appkey2`, `accessCode`, `user[code]`.
        let letters = String(lower.filter(\.isLetter))
        return letters.hasSuffix("key")
            || letters.hasSuffix("code") && !harmlessCodes.contains(where: letters.hasSuffix)
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
