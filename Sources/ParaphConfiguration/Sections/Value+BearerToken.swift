import Credentials
import OAuthSigning

extension Value {
    /// A secret that the field Authorization can carry after `Bearer`.
    func bearerToken() -> Secret? {
        guard let token = secret() else { return nil }
        guard HeaderTemplate.bearer.value(token: token) != nil else {
            report("must be visible ASCII without blanks, for it is sent as Authorization: Bearer TOKEN")
            return nil
        }
        return token
    }
}
