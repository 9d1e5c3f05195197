import Bytes
import Credentials
import Hummingbird
import Logging
import NIOCore
import OAuthSigning
import PrometheusMetrics

/// Answers every request to one listener.
struct AdminResponder: HTTPResponder {
    /// The endpoints with more to answer than a line. All listeners share them.
    struct Endpoints {
        let accounts: AccountEndpoints?
        let control: ControlEndpoints
        let status: StatusEndpoints
        let inspector: InspectorEndpoints
        let doctor: DoctorEndpoints

        init(_ backend: AdminBackend, logger: Logger) {
            accounts = backend.enrolment.map { AccountEndpoints(service: $0, logger: logger) }
            control = ControlEndpoints(control: backend.control, logger: logger)
            status = StatusEndpoints(source: backend.status)
            inspector = InspectorEndpoints(journal: backend.journal)
            doctor = DoctorEndpoints(checks: backend.checks, logger: logger)
        }
    }

    let listener: AdminListener
    /// The local CA's certificate, of the moment.
    let authorityPEM: @Sendable () -> String
    let backend: AdminBackend
    let endpoints: Endpoints

    func respond(to request: Request, context: AdminContext) async -> Response {
        let response: Response
        do throws(AdminRefusal) {
            response = try await answer(request, context)
        } catch {
            response = AdminAnswer.refusal(error)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ context: AdminContext) async throws(AdminRefusal) -> Response {
        let rule = listener.rule
        try AccessRule.checkHostCount(request.head)
        let resource: AdminResource
        do throws(AdminRefusal) {
            resource = try AdminResource(path: request.uri.path)
        } catch {
            // Who may not ask is not told what there is.
            try await rule.check(request.head, from: context.address, backend.tokenGuard)
            throw error
        }
        if resource.isPublic {
            try rule.checkHost(request.head)
        } else {
            try await rule.check(request.head, from: context.address, backend.tokenGuard)
        }
        let method = request.method == .head ? .get : request.method
        if resource.isOfOwnUser(method), !rule.hasToken { try checkUser(context) }
        guard resource.methods.contains(method) else { throw .methodNotAllowed(allowed: resource.methods) }
        switch resource {
        case .health: return AdminAnswer.text("ok\n")
        case .readiness: return await answerReadiness(excluding: request.uri.queryParameters.getAll("exclude"))
        case .authority: return AdminAnswer.text(authorityPEM(), type: "application/x-pem-file")
        case .metrics:
            return await AdminAnswer.text(PrometheusText.write(backend.metrics()), type: PrometheusText.contentType)
        case .registration: return try await enabled().register(request, client: context.client)
        case .accounts: return try await enabled().list()
        case .account(let name) where method == .get: return try await endpoints.status.account(name)
        case .account(let name): return try await enabled().remove(name, client: context.client)
        case .status: return await endpoints.status.status(admin: listener.boundAddress)
        case .doctor: return try endpoints.doctor.run(request, client: context.client, until: listener.streams)
        case .reload: return try await endpoints.control.reload(client: context.client)
        case .quit: return endpoints.control.quit(client: context.client)
        case .inspector(let part): return part.answer
        case .requests: return try endpoints.inspector.list(after: request.uri.queryParameters["after"])
        case .request(let id): return try endpoints.inspector.detail(id)
        case .events: return try endpoints.inspector.events(request, until: listener.streams)
        }
    }

    private func checkUser(_ context: AdminContext) throws(AdminRefusal) {
        guard let isOwnUser = backend.isOwnUser else { return }
        guard let client = context.clientAddress, let server = context.serverAddress, isOwnUser(client, server) else {
            throw .otherUser
        }
    }

    /// - Parameter names: The parts that are not asked for, as in Kubernetes' own `/readyz`.
    private func answerReadiness(excluding names: [String]) async -> Response {
        let missing = await backend.readiness.missing.filter { !names.contains($0.rawValue) }
        guard !missing.isEmpty else { return AdminAnswer.text("ready\n") }
        let names = missing.map(\.rawValue).joined(separator: ", ")
        return AdminAnswer.text("not ready: \(names)\n", status: .serviceUnavailable)
    }

    private func enabled() throws(AdminRefusal) -> AccountEndpoints {
        guard let accounts = endpoints.accounts else { throw .enrolmentOff }
        return accounts
    }
}

/// The facts about a request besides its message.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The IP address that it comes from; nil: unknown.
    let address: String?
    let clientAddress: SocketAddress?
    let serverAddress: SocketAddress?
    /// The sender of the request, for the log.
    var client: String { address ?? "unknown" }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        clientAddress = source.channel.remoteAddress
        serverAddress = source.channel.localAddress
        address = clientAddress?.ipAddress
    }
}

/// The meaning of a path of the admin listener.
enum AdminResource: Equatable {
    case health
    case readiness
    case metrics
    case authority
    case registration
    case accounts
    case account(CredentialName)
    case status
    case doctor
    case reload
    case quit
    case inspector(InspectorPart)
    case requests
    case request(Int)
    case events

    /// - Parameter path: The path as on the request line, without the query.
    /// - Throws: When the path stands for nothing.
    init(path: String) throws(AdminRefusal) {
        switch path {
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/ca.pem": self = .authority
        case "/register": self = .registration
        case "/accounts": self = .accounts
        case "/status": self = .status
        case "/doctor": self = .doctor
        case "/reload": self = .reload
        case "/quit": self = .quit
        case "/requests": self = .requests
        case "/events": self = .events
        default:
            if let part = InspectorPart(path: path) {
                self = .inspector(part)
            } else if let id = Self.request(path) {
                self = .request(id)
            } else {
                self = .account(try Self.account(path))
            }
        }
    }

    /// `/requests/ID`
    private static func request(_ path: String) -> Int? {
        let folder = "/requests/"
        let digits = path.dropFirst(folder.count)
        guard path.hasPrefix(folder), digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(digits)
    }

    /// `/accounts/API/NAME`, each percent-encoded by itself.
    private static func account(_ path: String) throws(AdminRefusal) -> CredentialName {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0].isEmpty, segments[1] == "accounts",
            !segments[2].isEmpty, !segments[3].isEmpty
        else { throw .unknownPath }
        guard let api = PercentEncoding.decodeText(segments[2].utf8),
            let account = PercentEncoding.decodeText(segments[3].utf8)
        else { throw .malformedPath }
        return CredentialName(api: api, account: account)
    }

    /// The methods that it can be asked with; GET stands for HEAD too.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .health, .readiness, .metrics, .authority, .accounts, .status, .inspector, .requests, .request, .events:
            [.get]
        case .registration, .doctor, .reload, .quit: [.post]
        case .account: [.get, .delete]
        }
    }

    /// Indicates whether whoever reaches the listener may ask: nothing here is secret, and probes have no token.
    var isPublic: Bool {
        switch self {
        case .health, .readiness, .metrics, .authority, .inspector: true
        case .registration, .accounts, .account, .status, .doctor, .reload, .quit, .requests, .request, .events: false
        }
    }

    /// Indicates whether, where no token is asked for, other users of this machine may not ask: they would see what
    /// passes through the proxy, or change what it does. Who registers an account has to show the provider's own word
    /// for it, and may.
    func isOfOwnUser(_ method: HTTPRequest.Method) -> Bool {
        switch self {
        case .requests, .request, .events, .status, .doctor, .reload, .quit: true
        case .account: method != .get
        case .health, .readiness, .metrics, .authority, .registration, .accounts, .inspector: false
        }
    }
}
