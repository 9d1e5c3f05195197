import Synchronization

/// A provider's token endpoint for the password grant, and resources that take the tokens it granted, for
/// ``ScriptedProvider``. All tokens are told apart by their numbers; each refresh token is good once.
final class GrantingProvider: Sendable {
    private struct State {
        /// The forms that the token endpoint got.
        var forms: [String] = []
        var issued = 0
        var accessTokens: Set<String> = []
        var refreshTokens: Set<String> = []
        var failure: String?
    }

    static let path = "/token"

    private let state = Mutex(State())
    private let changes = Inbox()
    private let header: String
    private let life: Int?

    /// - Parameters:
    ///   - header: The value that Authorization has to have, with `{token}` where the access token is.
    ///   - life: `expires_in`; nil: none is sent.
    init(header: String = "Bearer {token}", life: Int? = 3600) {
        self.header = header
        self.life = life
    }

    /// The forms that the token endpoint got, one after the other.
    var forms: [String] { state.withLock { $0.forms } }
    /// The kind of grant that each of them asked with.
    var grants: [String] {
        forms.map { $0.contains("refresh_token=") ? "refresh" : $0.contains("password=") ? "password" : "none" }
    }

    /// Waits until the token endpoint has got so many forms.
    func received(_ expected: Int) async throws {
        _ = try await changes.wait { _ in forms.count >= expected ? true : nil }
    }

    /// Makes the resources refuse all tokens that were granted so far.
    func expireAccessTokens() { state.withLock { $0.accessTokens = [] } }
    func revokeRefreshTokens() { state.withLock { $0.refreshTokens = [] } }
    /// Returns an access token that nobody has asked for with a form.
    func newAccessToken() -> String {
        state.withLock { state in
            state.issued += 1
            state.accessTokens.insert("hidden-access-\(state.issued)")
            return "hidden-access-\(state.issued)"
        }
    }

    /// Makes the token endpoint answer this from now on; nil: as it should.
    func fail(with answer: String?) { state.withLock { $0.failure = answer } }

    func answer(_ request: Message) -> String {
        guard request.target == Self.path else { return resource(request) }
        defer { changes.update { $0.total += 1 } }
        return grant(request.body)
    }

    private func resource(_ request: Message) -> String {
        let field = request["Authorization"] ?? ""
        let isGood = state.withLock { state in
            state.accessTokens.contains { field == header.replacing("{token}", with: $0) }
        }
        return isGood
            ? ScriptedProvider.answer("200 OK", field)
            : ScriptedProvider.answer("401 Unauthorized", "no", fields: "WWW-Authenticate: Bearer realm=\"x\"\n")
    }

    private func grant(_ form: String) -> String {
        state.withLock { state in
            state.forms.append(form)
            if let failure = state.failure { return failure }
            if let token = form.value(of: "refresh_token") {
                guard state.refreshTokens.remove(token) != nil else {
                    return ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)
                }
            } else if form.value(of: "password") != "hidden-password" {
                return ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)
            }
            state.issued += 1
            state.accessTokens.insert("hidden-access-\(state.issued)")
            state.refreshTokens.insert("hidden-refresh-\(state.issued)")
            let expiry = life.map { #","expires_in":\#($0)"# } ?? ""
            let tokens =
                #""access_token":"hidden-access-\#(state.issued)","refresh_token":"hidden-refresh-\#(state.issued)""#
            return ScriptedProvider.answer("200 OK", #"{"token_type":"Bearer",\#(tokens)\#(expiry)}"#)
        }
    }
}

extension String {
    /// The value of a member of a form that needs no decoding.
    fileprivate func value(of name: String) -> String? {
        split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
