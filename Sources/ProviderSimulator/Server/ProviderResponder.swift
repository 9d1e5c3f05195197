import HTTPTypes
import Hummingbird

/// Brings HTTP messages to the provider, and its answers back.
struct ProviderResponder: HTTPResponder {
    private static let maxBody = 8 * 1024 * 1024

    let provider: OAuthProvider
    /// Seconds since 1970.
    let clock: @Sendable () -> UInt64

    func respond(to request: Request, context: ProviderContext) async throws -> Response {
        guard let body = try? await request.body.collect(upTo: Self.maxBody) else {
            return Response(status: .contentTooLarge)
        }
        let received = ReceivedRequest(
            method: request.method.rawValue,
            target: request.head.path ?? "",
            authority: request.head.authority ?? "",
            fields: request.headers.map { ($0.name.rawName, $0.value) },
            body: Array(body.readableBytesView),
            tlsVersion: await context.tlsVersion
        )
        let answer = provider.answer(received, now: clock())
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        for (name, value) in answer.fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let response = Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
        return request.method == .head ? response.createHeadResponse() : response
    }
}
