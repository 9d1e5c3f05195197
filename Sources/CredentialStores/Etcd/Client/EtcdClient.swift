import AsyncHTTPClient
import Bytes
import FoundationEssentials
import Glibc
package import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import OAuthSigning
import Routing
package import Settings
import Synchronization

/// A client of the JSON gateway of etcd's servers, of which any will do: a request that one does not answer goes to the
/// next. So a request can have its effect twice, and every one that changes something says under which conditions it
/// may.
package final class EtcdClient: Sendable {
    /// The most requests at once. Watches have connections besides.
    private static let connectionLimit = 16
    /// The most that an answer has: a page of records, each of at most 64 KiB, in base64.
    static let answerLimit = 64 << 20
    /// The number of bytes of a refusal that are read, for the words to a person.
    static let refusalLimit = 65_536
    /// A key that nobody has. Where it may not be read, etcd says so only with the servers' agreement, too.
    private static let absenceQuestion = EtcdRange(key: EtcdBytes("paraph: is anybody there?"))

    private struct State {
        /// The index of the server that requests go to first.
        var current = 0
        /// The token that stands for the user who has logged in.
        var token: String?
    }

    /// The reason why one server has not answered.
    enum ServerFailure: Error {
        case unreachable(String)
        /// It has let the request's whole time go by.
        case silent
        case refusal(EtcdRefusal)

        /// A person's words.
        var words: String {
            switch self {
            case .unreachable(let reason): reason
            case .silent: EtcdErrorWords.silence
            case .refusal(let refusal): condensed(refusal.words, limit: 300)
            }
        }
    }

    /// The servers, for a person.
    package let label: String
    let endpoints: [EtcdEndpoint]
    private let user: EtcdSettings.User?
    let timeout: TimeAmount
    private let http: HTTPClient
    /// The client for watches, which may be silent for long and so have no timeout for reading.
    let watchingHTTP: HTTPClient
    /// A request's time begins when it is sent, and not while many others are.
    private let gate: RequestGate
    private let absence = EtcdAbsence()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - endpoints: The servers, at least one.
    ///   - tls: The settings for those that are reached by TLS.
    ///   - user: The user to log in as; nil: etcd asks for none.
    ///   - timeout: The time that a server has until its answer begins, and then for each part of it.
    package init(
        endpoints: [EtcdEndpoint],
        tls: TLSConfiguration = .makeClientConfiguration(),
        user: EtcdSettings.User? = nil,
        timeout: TimeAmount = .milliseconds(1_500)
    ) {
        self.timeout = timeout
        gate = RequestGate(limit: Self.connectionLimit)
        label = endpoints.map(\.description).joined(separator: ", ")
        self.endpoints = endpoints
        self.user = user
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: timeout)
        )
        // What etcd speaks on the same port as HTTP/2 is for gRPC.
        configuration.httpVersion = .http1Only
        // A request is made again here, of the next server.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connectionLimit + 8
        var watchingConfiguration = configuration
        watchingConfiguration.http1_1ConnectionDebugInitializer = Self.probe
        watchingHTTP = HTTPClient(eventLoopGroupProvider: .singleton, configuration: watchingConfiguration)
        // The time that is given with a request is over for its answer's body once that has begun.
        configuration.timeout.read = timeout
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Makes TCP find out that a watch's connection is gone, on which nothing is sent.
    private static let probe: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
        let seconds = [(TCP_KEEPIDLE, 15), (TCP_KEEPINTVL, 5), (TCP_KEEPCNT, 3)]
        let options = seconds.map { channel.setOption(.tcpOption(.init(rawValue: $0)), value: $1) }
        let isOn = channel.setOption(.socketOption(.so_keepalive), value: 1)
        return .andAllSucceed(options + [isOn], on: channel.eventLoop)
    }

    /// A client that was replaced while requests were under way is closed after the last of them.
    deinit {
        absence.close()
        Task { [http, watchingHTTP] in
            try? await http.shutdown()
            try? await watchingHTTP.shutdown()
        }
    }

    /// Closes the connections. To be called once, after the last request.
    package func close() async {
        absence.close()
        // They fail only when they have been closed before.
        try? await http.shutdown()
        try? await watchingHTTP.shutdown()
    }

    /// Returns whether a server is one of another client's, too: then it is the same etcd.
    func shares(serverWith other: EtcdClient) -> Bool {
        endpoints.contains { endpoint in
            other.endpoints.contains { $0.authority == endpoint.authority }
        }
    }

    /// - Parameter isUrgent: Whether it goes before others that wait for their time: a turn runs out meanwhile.
    func send<Request: EtcdRequest>(
        _ request: Request,
        isUrgent: Bool = false
    ) async throws(EtcdFailure) -> Request.Response {
        let body: Data
        do {
            body = try JSONEncoder().encode(request)
        } catch {
            throw .refused(reason: "the request cannot be written: \(error)")
        }
        // Nor does it wait for those that are to find out as much.
        if let reason = absence.reason { throw .unavailable(reason: reason) }
        return try await gate.pass(isUrgent: isUrgent) { () async throws(EtcdFailure) in
            try await send(body, to: Request.path)
        }
    }

    private func send<Response: Decodable & Sendable>(
        _ body: Data,
        to path: String
    ) async throws(EtcdFailure) -> Response {
        var reasons: [String] = []
        var isAnySilent = false
        for _ in endpoints {
            if let reason = absence.reason { throw .unavailable(reason: reason) }
            let (index, endpoint) = current
            do throws(ServerFailure) {
                return try await send(body, to: path, at: endpoint)
            } catch {
                switch error {
                case .refusal(let refusal) where refusal.isOfLease: throw .leaseOver
                case .refusal(let refusal) where !refusal.isOfServer: throw .refused(reason: error.words)
                case .silent: isAnySilent = true
                case .refusal, .unreachable: break
                }
                if Task.isCancelled { throw .cancelled }
                reasons.append("\(endpoint): \(error.words)")
                moveOn(from: index)
            }
        }
        let reason = reasons.joined(separator: "; ")
        // Servers that refuse connections need no sparing: they say so at once.
        if isAnySilent { absence.begin(reason) { [weak self] in await self?.isAnyBack() ?? true } }
        throw .unavailable(reason: reason)
    }

    var serverCount: Int { endpoints.count }

    /// The server that requests go to first.
    var current: (index: Int, endpoint: EtcdEndpoint) {
        let index = state.withLock { $0.current }
        return (index, endpoints[index])
    }

    /// The next requests go to the server after the one that has failed, unless somebody has gone on before.
    func moveOn(from index: Int) {
        state.withLock { state in
            if state.current == index { state.current = (index + 1) % endpoints.count }
        }
    }

    /// The next requests go to a server that is known to answer.
    private func prefer(_ index: Int) { state.withLock { $0.current = index } }

    /// Sends a request as the user, where there is one.
    func send<Response: Decodable>(
        _ body: Data,
        to path: String,
        at endpoint: EtcdEndpoint
    ) async throws(ServerFailure) -> Response {
        let token = try await token(from: endpoint)
        do throws(ServerFailure) {
            return try await exchange(body, path, endpoint, token)
        } catch {
            guard case .refusal(let refusal) = error, refusal.isUnauthenticated, let token else { throw error }
            forget(token)
        }
        return try await exchange(body, path, endpoint, try await self.token(from: endpoint))
    }

    func forget(_ token: String) {
        state.withLock { if $0.token == token { $0.token = nil } }
    }

    /// Returns the token of the user; nil when there is no user.
    func token(from endpoint: EtcdEndpoint) async throws(ServerFailure) -> String? {
        guard let user else { return nil }
        if let token = state.withLock({ $0.token }) { return token }
        let question = EtcdAuthentication(name: user.name, password: user.password.revealed())
        let body: Data
        do {
            body = try JSONEncoder().encode(question)
        } catch {
            throw .unreachable("\(error)")
        }
        let answer: EtcdAuthentication.Response = try await exchange(body, EtcdAuthentication.path, endpoint, nil)
        state.withLock { $0.token = answer.token }
        return answer.token
    }

    private func exchange<Response: Decodable>(
        _ body: Data,
        _ path: String,
        _ endpoint: EtcdEndpoint,
        _ token: String?
    ) async throws(ServerFailure) -> Response {
        let end = ContinuousClock.now + .nanoseconds(timeout.nanoseconds)
        do throws(ServerFailure) {
            return try await exchangeOnce(body, path, endpoint, token)
        } catch {
            // It is this process that was stopped, and not the server.
            guard case .silent = error, Standstill.hasDelayed(end), !Task.isCancelled else { throw error }
            return try await exchangeOnce(body, path, endpoint, token)
        }
    }

    private func exchangeOnce<Response: Decodable>(
        _ body: Data,
        _ path: String,
        _ endpoint: EtcdEndpoint,
        _ token: String?
    ) async throws(ServerFailure) -> Response {
        let request = request(body, path, endpoint, token)
        let status: UInt
        let answer: Data
        do {
            let response = try await http.execute(request, timeout: timeout)
            status = response.status.code
            answer = Data((try await response.body.collect(upTo: Self.answerLimit)).readableBytesView)
        } catch {
            throw EtcdErrorWords.isSilence(error) ? .silent : .unreachable(EtcdErrorWords.describe(error))
        }
        guard status == 200 else {
            guard let refusal = try? JSONDecoder().decode(EtcdRefusal.self, from: answer) else {
                let text = String(decoding: answer.prefix(Self.refusalLimit), as: UTF8.self)
                throw .unreachable(EtcdErrorWords.describe(status: status, text: text))
            }
            throw .refusal(refusal)
        }
        do {
            return try JSONDecoder().decode(Response.self, from: answer)
        } catch {
            throw .unreachable("an answer that is not etcd's")
        }
    }

    func request(_ body: Data, _ path: String, _ endpoint: EtcdEndpoint, _ token: String?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(endpoint)\(path)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        if let token { request.headers.add(name: "Authorization", value: token) }
        request.body = .bytes(body)
        return request
    }

    // MARK: Servers that do not answer

    /// Asks all servers at once whether they answer, with the others' agreement. Requests go to the first that does.
    private func isAnyBack() async -> Bool {
        await withTaskGroup(of: Int?.self) { group in
            for (index, endpoint) in endpoints.enumerated() {
                group.addTask { await self.isBack(endpoint) ? index : nil }
            }
            for await case let index? in group {
                group.cancelAll()
                prefer(index)
                return true
            }
            return false
        }
    }

    private func isBack(_ endpoint: EtcdEndpoint) async -> Bool {
        guard let body = try? JSONEncoder().encode(Self.absenceQuestion) else { return false }
        do throws(ServerFailure) {
            let _: EtcdRange.Response = try await send(body, to: EtcdRange.path, at: endpoint)
            return true
        } catch {
            if case .refusal(let refusal) = error { return !refusal.isOfServer }
            return false
        }
    }
}
