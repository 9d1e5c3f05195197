import FoundationEssentials
import Logging
import NIOCore
import NIOPosix
import OAuthSigning
import ProviderSimulator
import ServiceLifecycle
import Testing

/// A provider behind TLS on loopback.
struct ServerScene {
    let test = TestProvider()

    func makeServer(host: String = "127.0.0.1") throws -> ProviderServer {
        try ProviderServer(
            provider: test.provider,
            certificates: ProviderCertificates(dnsNames: ["api.test"], now: Date()),
            host: host,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() },
            clock: { TestProvider.now }
        )
    }

    static func text(_ request: ReceivedRequest) -> String {
        var lines = ["\(request.method) \(request.target) HTTP/1.1", "Host: \(request.authority)", "Connection: close"]
        lines += request.fields.map { "\($0.name): \($0.value)" }
        if !request.body.isEmpty { lines.append("Content-Length: \(request.body.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + String(decoding: request.body, as: UTF8.self)
    }

    func withServer(
        _ body: (_ send: @Sendable @escaping (ReceivedRequest) async throws -> String) async throws -> Void
    ) async throws {
        let server = try makeServer()
        let services = ServiceGroup(services: [server], logger: server.testLogger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            let address = try await server.address
            try await body { request in
                try await TLSClient.exchange(
                    Self.text(request),
                    to: address,
                    name: "api.test",
                    trusting: server.certificates.rootPEM
                )
            }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

extension ProviderServer {
    var testLogger: Logger { Logger(label: "services") { _ in SwiftLogNoOpLogHandler() } }
}
