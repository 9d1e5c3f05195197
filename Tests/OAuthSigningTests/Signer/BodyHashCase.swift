import OAuthSigning
import Testing

/// A body of a request, and whether its hash is due.
struct BodyHashCase: Sendable {
    let policy: BodyHashPolicy
    let contentType: String?
    let body: String?
    let isHashed: Bool

    static let form = "application/x-www-form-urlencoded"

    static let all = [
        Self(policy: .off, contentType: "application/json", body: "{}", isHashed: false),
        Self(policy: .on, contentType: "application/json", body: "{}", isHashed: true),
        Self(policy: .on, contentType: nil, body: "data", isHashed: true),
        Self(policy: .on, contentType: nil, body: nil, isHashed: false),
        Self(policy: .on, contentType: "application/json", body: "", isHashed: false),
        Self(policy: .on, contentType: form, body: "a=b", isHashed: false),
        Self(policy: .always, contentType: nil, body: nil, isHashed: true),
        Self(policy: .always, contentType: nil, body: "", isHashed: true),
        Self(policy: .always, contentType: form, body: "a=b", isHashed: true),
    ]
}

extension BodyHashCase: CustomTestStringConvertible {
    var testDescription: String {
        "\(policy), \(contentType ?? "no type"), \(body ?? "no body"): \(isHashed ? "hashed" : "not hashed")"
    }
}
