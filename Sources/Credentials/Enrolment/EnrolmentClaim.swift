package import OAuthSigning

/// The claim that `POST /register` was sent: whoever sends it claims to act for an account of a provider.
package struct EnrolmentClaim: Sendable {
    package var accessType: EnrolmentAccessType
    /// The identity that is claimed: the user name (``EnrolmentAccessType/password``), or the id that the provider
    /// returns for the token. It becomes the account's name.
    package var passkey: String
    /// The proof; see ``EnrolmentAccessType`` for what it holds.
    package var passcode: Secret

    package init(accessType: EnrolmentAccessType, passkey: String, passcode: Secret) {
        self.accessType = accessType
        self.passkey = passkey
        self.passcode = passcode
    }
}

extension EnrolmentClaim {
    private static let longestName = 128
    /// The account of requests that name nobody is for the configuration alone to say.
    private static let reservedName = "default"

    /// The reason why the passkey cannot name an account, in a sentence; nil when it can.
    var passkeyFault: String? {
        let scalars = passkey.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, passkey.utf8.count <= Self.longestName,
            !first.properties.isWhitespace, !last.properties.isWhitespace,
            !scalars.contains(where: { $0 == ":" || $0.properties.generalCategory == .control })
        else {
            return "passkey cannot name an account: it must have 1 to \(Self.longestName) bytes, no colon, no control "
                + "character, and no blank at either end."
        }
        guard !sameBytes(passkey, Self.reservedName) else {
            return "passkey cannot be \(Self.reservedName): so is the account called that requests are signed as when "
                + "they name none."
        }
        return nil
    }

    /// The passcode as `oauth_token:oauth_token_secret`, split at the first colon; nil unless both are there.
    var tokenCredentials: TokenCredentials? {
        passcode.withBytes { bytes in
            guard let colon = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: ":") }),
                colon > 0, colon + 1 < bytes.count,
                let token = String(validating: (0..<colon).map { bytes[$0] }, as: UTF8.self)
            else { return nil }
            return TokenCredentials(
                token: token,
                secret: Secret(bytes: ((colon + 1)..<bytes.count).map { bytes[$0] })
            )
        }
    }
}
