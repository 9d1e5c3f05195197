import Credentials
import NIOCore
import Routing

/// The upstream connections of one event loop to one target that can take a request, whatever version of HTTP they
/// speak.
///
/// Of HTTP/1.1 it holds those that are idle; the newest is leased first. Of HTTP/2 it holds all that are open and have
/// room. While a connection is being made to a target that is known to speak HTTP/2, requests wait for that one.
final class TargetPool {
    typealias Completion = (Result<any UpstreamStream, UpstreamFailure>) -> Void

    let target: UpstreamTarget
    /// Nil for a host of no API.
    private let api: APIContext?
    private let connector: UpstreamConnector
    private let upstreamProxy: UpstreamProxy?
    private let idleLimit: Int
    private var idle: [UpstreamConnection] = []
    private var shared: [HTTP2UpstreamHandler] = []
    /// Requests that wait for a connection which is expected to have room for them.
    private var waiting: [Completion] = []
    private var isConnecting = false
    private var speaksHTTP2 = false
    private var isRetired = false

    /// - Parameters:
    ///   - api: nil for a host of no API.
    ///   - upstreamProxy: what connections are made through; nil: none.
    ///   - idleLimit: how many idle connections are kept.
    init(
        target: UpstreamTarget,
        api: APIContext?,
        connector: UpstreamConnector,
        upstreamProxy: UpstreamProxy?,
        idleLimit: Int
    ) {
        self.target = target
        self.api = api
        self.connector = connector
        self.upstreamProxy = upstreamProxy
        self.idleLimit = idleLimit
    }

    /// Whether nothing would be lost with it.
    var isEmpty: Bool { idle.isEmpty && shared.isEmpty && waiting.isEmpty && !isConnecting }

    // MARK: Lease

    /// A place on a connection that is there, if there is one that is still open.
    ///
    /// - Parameter http1: whether only HTTP/1.1 will do.
    func leaseIdle(http1: Bool) -> (any UpstreamStream)? {
        if !http1, !shared.isEmpty, let connection = shared.first(where: { $0.freePlaces > 0 }) {
            return connection.leasePlace()
        }
        while let connection = idle.popLast() {
            if connection.isUsable { return connection }
            connection.close()
        }
        return nil
    }

    /// A place on a new connection, or on one that is being made.
    ///
    /// - Parameters:
    ///   - http1: whether only HTTP/1.1 will do.
    ///   - completion: called once, on the loop.
    func open(http1: Bool, completion: @escaping Completion) {
        guard !http1, speaksHTTP2 else {
            return connect(http1: http1) { [self] result in completion(result.flatMap(place)) }
        }
        waiting.append(completion)
        guard !isConnecting else { return }
        isConnecting = true
        connect(http1: false) { [self] result in
            isConnecting = false
            serveWaiting(result)
        }
    }

    private func serveWaiting(_ result: Result<NegotiatedConnection, UpstreamFailure>) {
        let waiters = waiting
        waiting.removeAll()
        switch result {
        case .failure(let failure):
            for waiter in waiters { waiter(.failure(failure)) }
        case .success(let connection):
            waiters.first?(place(on: connection))
            // The server may allow fewer requests at a time than there are, or speak HTTP/1.1 this time.
            for waiter in waiters.dropFirst() {
                if let stream = leaseIdle(http1: false) {
                    waiter(.success(stream))
                } else {
                    open(http1: false, completion: waiter)
                }
            }
        }
    }

    private func place(on connection: NegotiatedConnection) -> Result<any UpstreamStream, UpstreamFailure> {
        switch connection {
        case .http1(let connection):
            speaksHTTP2 = false
            connection.pool = self
            return .success(connection)
        case .http2(let handler):
            share(handler)
            return handler.freePlaces > 0 ? .success(handler.leasePlace()) : .failure(.closed)
        }
    }

    private func connect(
        http1: Bool,
        completion: @escaping (Result<NegotiatedConnection, UpstreamFailure>) -> Void
    ) {
        connector.open(
            to: target.authority,
            connectTo: api?.settings.connectTo,
            through: upstreamProxy,
            tls: api?.tls,
            http1: http1 || api?.settings.usesHTTP2 != true,
            completion: completion
        )
    }

    // MARK: Keeping

    /// Keeps a connection that another request could use, unless there are enough.
    func keep(_ connection: NegotiatedConnection) {
        switch connection {
        case .http1(let connection): keep(connection)
        case .http2(let handler): share(handler)
        }
    }

    /// Keeps an idle connection, unless there are enough.
    func keep(_ connection: UpstreamConnection) {
        guard !isRetired, idle.count < idleLimit, connection.isUsable else { return connection.close() }
        connection.pool = self
        idle.append(connection)
    }

    /// An idle connection is gone.
    func forget(_ connection: UpstreamConnection) {
        idle.removeAll { $0 === connection }
    }

    private func share(_ handler: HTTP2UpstreamHandler) {
        guard !isRetired, !handler.isClosed else { return handler.finish() }
        speaksHTTP2 = true
        handler.onLeave = { [weak self] gone in self?.shared.removeAll { $0 === gone } }
        shared.append(handler)
    }

    // MARK: End

    /// Keeps nothing from now on.
    ///
    /// - Returns: what another pool could use.
    func retire() -> [NegotiatedConnection] {
        isRetired = true
        return takeAll()
    }

    /// What there is now.
    func takeAll() -> [NegotiatedConnection] {
        for handler in shared { handler.onLeave = nil }
        let all = idle.map { NegotiatedConnection.http1($0) } + shared.map { NegotiatedConnection.http2($0) }
        idle.removeAll()
        shared.removeAll()
        return all
    }
}

@available(*, unavailable)
extension TargetPool: Sendable {}
