import FoundationEssentials
import OAuthSigning

/// The authentication of the client: in the form, or by HTTP Basic (RFC 6749, section 2.3.1).
struct ClientAuthentication {
    let rules: PasswordGrantRules

    func check(_ request: ReceivedRequest) throws(GrantRefusal) {
        let basic = Self.basic(request)
        let form = request.form
        let isInForm = form["client_secret"] != nil
        switch (rules.clientAuthentication, basic) {
        case (.either, .some) where isInForm: throw .invalidRequest("The client authenticates twice.")
        case (.body, .some) where !isInForm, (.basic, nil): throw .invalidClient(challenged: basic != nil)
        case (.basic, let basic?), (.either, let basic?):
            guard isClient(basic.id, basic.secret) else { throw .invalidClient(challenged: true) }
        case (.body, _), (.either, nil):
            guard isClient(form["client_id"], form["client_secret"]) else { throw .invalidClient(challenged: false) }
        }
    }

    private func isClient(_ id: String?, _ secret: String?) -> Bool {
        id == rules.clientID && secret.map(Secret.init(_:)) == rules.clientSecret
    }

    /// Both halves are form-encoded before they are joined.
    private static func basic(_ request: ReceivedRequest) -> (id: String, secret: String)? {
        guard let value = request.values(of: "authorization").first, value.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(value.dropFirst(6)))
        else { return nil }
        let id = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard id.count < bytes.count else { return nil }
        return (FormPairs.decode(id), FormPairs.decode(bytes.dropFirst(id.count + 1)))
    }
}
