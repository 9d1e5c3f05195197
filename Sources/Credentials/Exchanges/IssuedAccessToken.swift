import OAuthSigning

/// An access token, as a provider issues it (RFC 6749, section 5.1).
struct IssuedAccessToken {
    let value: Secret
    let refreshToken: Secret?
    /// In seconds; nil when it is not known, as with the zero by which some providers mean never.
    let expiresIn: UInt64?
    /// Indicates whether it can be sent as it is, and needs no proof of possession that only other software could give.
    let isBearer: Bool
    private let members: AnswerMembers

    private static let provenTypes = ["mac", "pop", "dpop", "hawk"]
    private static let longestLife = 100.0 * 365 * 86_400

    /// Nil unless there is exactly one access token, not empty.
    init?(_ body: [UInt8]) {
        let members = AnswerMembers(body)
        guard let value = members.bytes("access_token") else { return nil }
        self.members = members
        self.value = Secret(bytes: value)
        refreshToken = members.bytes("refresh_token").map { Secret(bytes: $0) }
        expiresIn = members.text("expires_in").flatMap(Self.seconds)
        let type = members.text("token_type")?.lowercased()
        isBearer = type.map { !Self.provenTypes.contains($0) } ?? true
    }

    /// - Parameter secrets: What the provider was sent, and must not come back as an attribute.
    func attributes(secrets: [Secret]) -> [String: String] {
        let scrubber = Scrubber(secrets: secrets + [value] + (refreshToken.map { [$0] } ?? []))
        return members.attributes(scrubber: scrubber)
    }

    /// A number, be it written as a text or with a fraction.
    private static func seconds(_ text: String) -> UInt64? {
        guard let number = Double(text), number >= 1, number <= longestLife else { return nil }
        return UInt64(number)
    }
}
