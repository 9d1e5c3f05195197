import Credentials
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// A route in the terms of the pools, of the keepers of tokens and of what is forwarded. Its API is one of those that are
/// given, in the order of the settings.
extension RequestRoute {
    var target: UpstreamTarget {
        UpstreamTarget(kind: api.map { .api($0.index) } ?? .plain, authority: authority)
    }

    /// The account that authorizes the request; nil for a host of no API.
    var accountReference: AccountReference? {
        guard let api = api?.index else { return nil }
        if let account = account?.index { return .configured(api: api, account: account) }
        return account.map { .enrolled(api: api, name: $0.name) }
    }

    /// The configured client that sent the request.
    var clientName: String? { client?.name }

    /// Returns the field in which the API of the request takes its tokens; nil: Authorization.
    func tokenField(_ apis: [APIContext]) -> TokenField? { api.flatMap { apis[$0.index].tokenField } }

    /// Returns whether the client's own credentials go on, and nothing is signed.
    func keepsAuthorization(of head: RequestHead, _ apis: [APIContext]) -> Bool {
        guard let index = api?.index else { return true }
        // Most requests have none; the settings are copied to be asked.
        return apis[index].fieldOfOwnCredentials(in: head, on: self) != nil
            && apis[index].settings.existingAuthorization == .keep
    }

    /// Returns the head without the client's own field for a token.
    func leavingTokenOut(of head: RequestHead, _ apis: [APIContext]) -> RequestHead {
        tokenField(apis).map { head.leavingOut($0.lowercaseName) } ?? head
    }

    /// Returns what goes on of the trailers of a request; nil: nothing.
    func forwarded(_ trailers: FieldSection, _ apis: [APIContext]) -> FieldSection? {
        guard mayForward(trailers) else { return nil }
        return tokenField(apis).map { trailers.leavingOut($0.lowercaseName) } ?? trailers
    }

    /// Returns whether a trailer section may be forwarded: what would have a framework pass by the rules of an API is
    /// refused in a head; here the request is on its way, or its body held, and a trailer section need not be forwarded
    /// (RFC 9110, section 6.5.1).
    private func mayForward(_ trailers: FieldSection) -> Bool {
        guard let overrides = api?.overrides else { return true }
        return !trailers.contains { overrides.field(named: $0.name.readableBytesUInt8Span) != nil }
    }
}
