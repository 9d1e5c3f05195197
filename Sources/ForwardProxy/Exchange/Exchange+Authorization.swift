import Credentials
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

    /// Indicates whether the client's own credentials go on, and nothing is signed.
    var keepsAuthorization: Bool {
        guard let index = route.api?.index else { return true }
        let api = context.apis[index]
        // Most requests have none; the settings are copied to be asked.
        return api.fieldOfOwnCredentials(in: head, on: route) != nil && api.settings.existingAuthorization == .keep
    }

    /// The field in which the API of the request takes its tokens; nil: Authorization.
    var tokenField: TokenField? { route.api.flatMap { context.apis[$0.index].tokenField } }

    /// The head without the client's own field of that name, unless this goes on.
    var headToSend: RequestHead {
        guard let name = tokenField?.lowercaseName, !keepsAuthorization else { return head }
        return head.leavingOut(name)
    }

    /// Returns what goes on of the trailers of a request; nil: nothing.
    func trailersToSend(_ trailers: FieldSection?) -> FieldSection? {
        guard let trailers, route.mayForward(trailers) else { return nil }
        return tokenField.map { trailers.leavingOut($0.lowercaseName) } ?? trailers
    }

    /// Indicates whether the client's own credentials, which go on, make the connection to the server the client's.
    var authenticatesConnection: Bool { keepsAuthorization && ConnectionAuthentication.isUsed(by: head) }

    /// Indicates whether only HTTP/1.1 will do upstream.
    var requiresHTTP1: Bool {
        offer != nil || authenticatesConnection || machine.hasRepeated(after: .http1Required)
    }

    /// Returns the signature base string of the request as it was last sent; nil when it is not known any more.
    func sentBaseString() -> String? {
        guard !held.body.isSent else { return nil }
        return authorization.baseString(head, on: route, body: held.body.collected)
    }

    /// Reserves the connection that the request was sent on for this client's requests from now on. One that speaks
    /// HTTP/2 is shared all the same, and not asked for requests with such credentials.
    func ownConnection() {
        let owned = client.ownedConnections ?? OwnedConnections()
        client.ownedConnections = owned
        (stream as? UpstreamConnection)?.belong(to: owned.owner(for: route.clientName))
    }
}
