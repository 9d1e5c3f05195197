/// RFC 6749, section 5.1; what is nil is left out.
struct TokenResponse: Encodable {
    let access_token: String
    let token_type = "bearer"
    let expires_in: UInt64?
    let refresh_token: String?
    let scope: String?
}
