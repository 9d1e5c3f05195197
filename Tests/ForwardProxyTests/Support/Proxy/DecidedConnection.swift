import Bytes
import Foundation
import HTTP1Codec
import NIOCore
import Routing

@testable import ForwardProxy

/// A client's connection, so far as its requests are decided upon.
struct DecidedConnection {
    let proxy: EmbeddedProxy
    var decider: RequestDecider

    init(
        to proxy: EmbeddedProxy,
        gateway: GatewayConnection? = nil,
        overLimit: Shortage? = nil,
        place: ClientPlace? = nil
    ) {
        self.proxy = proxy
        decider = RequestDecider(
            gateway: gateway,
            peer: EmbeddedProxy.peer,
            identity: ConnectionIdentity(overLimit: overLimit ?? place?.shortage, place: place, admission: nil)
        )
    }

    /// A connection that came through CONNECT.
    init(intercepted authority: String, of client: String? = nil, at proxy: EmbeddedProxy) throws {
        self.init(to: proxy)
        let fields = client.map { loginField($0) } ?? ""
        guard case .intercept(let intercepted) = try decide("CONNECT \(authority)", host: authority, fields) else {
            throw NotIntercepted()
        }
        decider.interceptionBegan(intercepted)
    }

    private struct NotIntercepted: Error {}

    /// - Parameters:
    ///   - line: Method and request-target.
    ///   - fields: Further field lines, each with its line feed.
    mutating func decide(
        _ line: String,
        host: String,
        _ fields: String = "",
        loginHasWaited: Bool = false
    ) throws -> RequestDecider.Decision {
        let head = try requestHead("\(line) HTTP/1.1\nHost: \(host)\n\(fields)\n")
        return decider.decide(
            head,
            loginHasWaited: loginHasWaited,
            usage: { [proxy] in proxy.usage(of: $0) },
            by: proxy.worker
        )
    }

    /// The request for the first API again, when a place was looked for.
    mutating func getAfterSearch(
        _ shortage: Shortage?,
        for client: Client,
        _ fields: String,
        loginHasWaited: Bool = false
    ) throws -> RequestDecider.Decision {
        let head = try requestHead("GET http://api.test/ HTTP/1.1\nHost: api.test\n\(fields)\n")
        return decider.decide(
            head,
            afterSearch: shortage,
            for: client,
            loginHasWaited: loginHasWaited,
            usage: { [proxy] in proxy.usage(of: $0) },
            by: proxy.worker
        )
    }

    /// A request for `/` by HTTP/2, after CONNECT.
    mutating func decideHTTP2(
        _ method: String = "GET",
        scheme: URIScheme = .https,
        host: String
    ) throws -> RequestDecider.Decision {
        let (methodBytes, path) = (Array(method.utf8), Array("/".utf8))
        let head = RequestHead(
            fields: try requestHead("\(method) / HTTP/1.1\nHost: \(host)\n\n").fields,
            line: try RequestLine(method: methodBytes.span, path: path.span, scheme: scheme),
            framing: .none,
            expectsContinue: false
        )
        do throws(RefusedRequest) {
            let usage = { [proxy] (name: String?) in proxy.usage(of: name) }
            return .forward(try decider.admit(intercepted: head, usage: usage, by: proxy.worker))
        } catch {
            return .refuse(error)
        }
    }

    /// A request for the first API in absolute-form.
    mutating func get(_ fields: String = "", loginHasWaited: Bool = false) throws -> RequestDecider.Decision {
        try decide("GET http://api.test/", host: "api.test", fields, loginHasWaited: loginHasWaited)
    }
}

/// The field line by which a client logs in.
func loginField(_ name: String, _ password: String = "open") -> String {
    "Proxy-Authorization: Basic \(Data("\(name):\(password)".utf8).base64EncodedString())\n"
}

extension RequestDecider.Decision {
    /// `forward to API`, `pass to HOST`, `refuse STATUS` with the index of an API, if any, `intercept HOST`,
    /// `tunnel to HOST`, `refuse connection: SHORTAGE`, `await turn` or `find place`, each with the client of a name, if
    /// any.
    var words: String {
        switch self {
        case .forward(let request):
            (request.route.api.map { "forward to \($0.name)" } ?? "pass to \(request.route.authority)")
                + ofClient(request.route.client?.name)
        case .refuse(let refused):
            "refuse \(refused.problem.status)\(refused.api.map { " to API \($0)" } ?? "")\(ofClient(refused.client))"
        case .intercept(let intercepted):
            "intercept \(intercepted.interception.authority)\(ofClient(intercepted.interception.client?.name))"
        case .tunnel(let authority, let client): "tunnel to \(authority)\(ofClient(client?.name))"
        case .refuseConnection(let shortage, let client): "refuse connection: \(shortage)\(ofClient(client))"
        case .awaitTurn: "await turn"
        case .awaitPlace(_, let client): "find place\(ofClient(client.name))"
        }
    }

    /// The problem that the request is answered with, if it is.
    var problem: Problem? {
        if case .refuse(let refused) = self { refused.problem } else { nil }
    }

    /// The route of a request that goes on.
    var route: RequestRoute? {
        if case .forward(let request) = self { request.route } else { nil }
    }
}

private func ofClient(_ name: String?) -> String { name.map { " of \($0)" } ?? "" }
