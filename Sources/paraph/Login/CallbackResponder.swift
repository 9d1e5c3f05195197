import Credentials
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers the requests of a browser, and of whoever else comes.
struct CallbackResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let path: String
    let desk: CallbackDesk

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let page = page(for: request)
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        // What the address says is for nobody else.
        if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "no-referrer" }
        if case .methodNotAllowed = page { fields[.allow] = "GET" }
        return Response(
            status: .init(code: page.status),
            headers: fields,
            body: .init(byteBuffer: ByteBuffer(string: page.html))
        )
    }

    private func page(for request: Request) -> CallbackPage {
        guard request.uri.path == path else { return .notFound }
        guard request.method == .get else { return .methodNotAllowed }
        switch desk.receive(CallbackReply(query: request.uri.query ?? ""), needsToken: true) {
        case .accepted(let isDenied): return isDenied ? .denied : .received
        case .stranger: return .stranger
        }
    }
}
