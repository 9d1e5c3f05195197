import Bytes
import HTTP1Codec
import NIOCore
import Routing

/// A router with two APIs: `t` is open, `confined` has paths and methods.
enum RouterFixture {
    static func router(
        clients: [Client] = [],
        otherHosts: OtherHosts = .tunnel,
        connectPorts: Set<Int> = [443]
    ) throws -> Router {
        let routes = [
            APIRoute(
                index: 0,
                name: "t",
                hosts: try ["api.example.com", "*.wild.example.com:8443", "[::1]:9000"].map(HostPattern.init),
                accounts: ["default", "alice", "bob+work"]
            ),
            APIRoute(
                index: 1,
                name: "confined",
                hosts: try ["confined.example.com"].map(HostPattern.init),
                accounts: ["alice"],
                paths: ["/1.1/", "/exact"],
                methods: ["GET", "POST"]
            ),
            APIRoute(
                index: 2,
                name: "clear",
                hosts: try ["clear.example.com"].map(HostPattern.init),
                accounts: ["default"],
                upstreamScheme: .http
            ),
        ]
        return Router(
            apis: APITable(routes),
            access: AccessPolicy(clients: clients, otherHosts: otherHosts, connectPorts: connectPorts)
        )
    }

    static func client(_ name: String, password: String, apis: Set<String>? = nil, accounts: Set<String>? = nil)
        -> Client
    {
        Client(name: name, apis: apis, accounts: accounts) { presented in
            let expected = Array(password.utf8)
            return presented.count == expected.count && presented.indices.allSatisfy { presented[$0] == expected[$0] }
        }
    }

    /// The value of a Proxy-Authorization field.
    static func basic(_ text: String) -> String { "Basic \(base64(Array(text.utf8)))" }

    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for place in 0..<4 {
                text.append(place <= part.count ? alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : "=")
            }
        }
        return text
    }
}

extension RequestHead {
    /// - Parameter fields: The fields, of which those with a value are in the head.
    init(
        _ method: String = "GET",
        _ target: String,
        _ fields: KeyValuePairs<String, String?>
    ) throws {
        try self.init(
            method: method.utf8,
            target: target.utf8,
            fields: fields.compactMap { name, value in value.map { (name: name, value: Array($0.utf8)) } }
        )
    }
}

extension Router {
    func connect(_ authority: String, _ proxyAuthorization: String? = nil) -> Result<ConnectDecision, Refusal> {
        result(
            connect: ByteBuffer(string: authority),
            proxyAuthorization: proxyAuthorization.map { ByteBuffer(string: $0) }
        )
    }

    func result(connect target: ByteBuffer, proxyAuthorization: ByteBuffer?) -> Result<ConnectDecision, Refusal> {
        do throws(Refusal) {
            return .success(try decide(connect: target, proxyAuthorization: proxyAuthorization))
        } catch {
            return .failure(error)
        }
    }

    func inside(
        _ interception: Interception,
        method: String = "GET",
        _ target: String = "/",
        host: String? = nil,
        account: String? = nil
    ) throws -> Result<RequestRoute, Refusal> {
        let host = host ?? interception.authority.fieldValue(defaultPort: 443)
        let head = try RequestHead(method, target, ["Host": host, "Paraph-Account": account])
        return result(inside: interception, head)
    }

    func result(inside interception: Interception, _ head: RequestHead) -> Result<RequestRoute, Refusal> {
        do throws(Refusal) {
            return .success(try decide(inside: interception, head))
        } catch {
            return .failure(error)
        }
    }

    func absolute(
        method: String = "GET",
        _ target: String,
        _ proxyAuthorization: String? = nil,
        host: String? = nil,
        account: String? = nil
    ) throws -> Result<RequestRoute, Refusal> {
        var known: KnownOrigin?
        let fields: KeyValuePairs = [
            "Host": host, "Proxy-Authorization": proxyAuthorization, "Paraph-Account": account,
        ]
        return result(absolute: try RequestHead(method, target, fields), known: &known)
    }

    func result(absolute head: RequestHead, known: inout KnownOrigin?) -> Result<RequestRoute, Refusal> {
        do throws(Refusal) {
            return .success(try decide(absolute: head, known: &known))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<ConnectDecision, Refusal> {
    /// `tunnel HOST`, `intercept API for NAMED`, or `refuse LABEL`.
    var words: String {
        switch self {
        case .success(.tunnel(let authority, _)): "tunnel \(authority)"
        case .success(.intercept(let interception)):
            "intercept \(interception.route.name)\(interception.accountName.map { " for \($0)" } ?? "")"
        case .failure(let refusal): "refuse \(refusal.label)"
        }
    }

    var interception: Interception? {
        if case .success(.intercept(let interception)) = self { interception } else { nil }
    }
}

extension Result<RequestRoute, Refusal> {
    /// `forward API/ACCOUNT to UPSTREAM`, `pass to HOST`, or `refuse LABEL`.
    var words: String {
        switch self {
        case .success(let route):
            if let api = route.api, let account = route.account {
                "forward \(api.name)/\(account.name) to \(route.authority)"
            } else {
                "pass to \(route.authority)"
            }
        case .failure(let refusal): "refuse \(refusal.label)"
        }
    }

    var route: RequestRoute? {
        if case .success(let route) = self { route } else { nil }
    }

    /// The request-target that is sent.
    var target: String? { route.map { String(buffer: $0.requestTarget) } }
}
