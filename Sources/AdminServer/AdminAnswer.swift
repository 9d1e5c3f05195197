import Bytes
import Hummingbird
import NIOCore
import OAuthSigning

/// The listener's responses. None is stored by a cache on the way.
enum AdminAnswer {
    /// The challenge that is due with every 401 (RFC 9110, section 15.5.2).
    static let challenge: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"paraph\""]

    static func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        response(status, [.contentType: type], Array(text.utf8))
    }

    static func json(
        _ members: [(key: String, value: JSONText)],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Response {
        var fields = fields
        fields[.contentType] = "application/json"
        return response(status, fields, Array(JSONText.object(members).line.utf8))
    }

    static func refusal(_ refusal: AdminRefusal) -> Response {
        json(
            [("error", .boolean(true)), ("message", .string(refusal.sentence))],
            status: refusal.status,
            fields: refusal.fields
        )
    }

    /// 204: done, and nothing to say.
    static let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])

    private static func response(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: [UInt8]) -> Response {
        var fields = fields
        fields[.cacheControl] = "no-store"
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
