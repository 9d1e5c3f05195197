/// The question for what a user is known by.
struct EtcdAuthentication: EtcdRequest {
    static let path = "/v3/auth/authenticate"

    let name: String
    let password: String

    struct Response: Decodable, Sendable {
        let token: String
    }
}
