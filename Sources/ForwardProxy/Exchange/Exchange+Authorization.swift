import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing
import Settings

// MARK: - What authorizes a request, and what that asks for

extension Exchange {
    /// Returns whether the body takes part in the signature of a request for an account.
    func needsBody(_ account: AccountReference) -> Bool {
        guard head.framing != .none || context.apis[account.api].signsEmptyBodies else { return false }
        guard !keepsAuthorization, let options = context.tokens.options(of: account) else { return false }
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        return options.needsBody(
            contentType: contentType.readableBytesUInt8Span,
            hasBody: head.framing != .none || options.bodyHash == .always
        )
    }

    /// Indicates whether the client's own Authorization goes on, and nothing is signed.
    var keepsAuthorization: Bool {
        guard head.fields.contains(.authorization), let api = route.api else { return route.api == nil }
        return route.gateway?.consumesAuthorization != true
            && context.apis[api.index].settings.existingAuthorization == .keep
    }

    /// Indicates whether the client's own credentials, which go on, make the connection to the server the client's.
    var authenticatesConnection: Bool { keepsAuthorization && ConnectionAuthentication.isUsed(by: head) }

    /// Indicates whether only HTTP/1.1 will do upstream.
    var requiresHTTP1: Bool {
        offer != nil || authenticatesConnection || machine.hasRepeated(after: .http1Required)
    }

    /// Reserves the connection that the request was sent on for this client's requests from now on. One that speaks
    /// HTTP/2 is shared all the same, and not asked for requests with such credentials.
    func ownConnection() {
        let owned = client.ownedConnections ?? OwnedConnections()
        client.ownedConnections = owned
        (stream as? UpstreamConnection)?.belong(to: owned.owner(for: route.clientName))
    }
}
