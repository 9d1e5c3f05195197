import Bytes
import Credentials
import OAuthSigning

/// A provider that knows one user, by a signature, an access token or a password, for ``ScriptedProvider``.
struct VerifyingProvider: Sendable {
    let type: EnrolmentAccessType
    /// The provider that the password grant is left to.
    let granting = GrantingProvider()
    /// The answer to whoever asks who they are.
    var me = ScriptedProvider.answer("200 OK", #"{"id":"alice"}"#)

    /// The resources say how they were asked.
    func answer(_ request: Message) -> String {
        switch type {
        case .password: granting.answer(request)
        case .oauth1:
            answer(
                request,
                isGenuine: (try? verify(request, scheme: .http))?.token == ProxySetup.Secrets.token.token
            )
        case .bearer: answer(request, isGenuine: request["Authorization"] == "Bearer hidden-bearer")
        }
    }

    private func answer(_ request: Message, isGenuine: Bool) -> String {
        guard isGenuine else { return ScriptedProvider.answer("401 Unauthorized", "oauth_problem=token_rejected") }
        return request.target.hasPrefix(EnrolmentClaim.path) ? me : ScriptedProvider.answer("200 OK", "genuine")
    }
}
