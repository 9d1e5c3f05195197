import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOSSL
import ServiceLifecycle

/// Brings HTTP messages to the provider, and its answers back.
struct ProviderResponder: Sendable {
    private static let maxBody = 8 * 1024 * 1024

    let provider: OAuthProvider
    /// Seconds since 1970.
    let clock: @Sendable () -> UInt64

    /// Throws when the connection is to be closed instead.
    func respond(to request: Request, channel: any Channel) async throws -> Response {
        guard let body = try? await request.body.collect(upTo: Self.maxBody) else {
            return Response(status: .contentTooLarge)
        }
        let received = ReceivedRequest(
            method: request.method.rawValue,
            target: request.head.path ?? "",
            authority: request.head.authority ?? "",
            fields: request.headers.map { ($0.name.rawName, $0.value) },
            body: Array(body.readableBytesView),
            tlsVersion: await tlsVersion(of: channel)
        )
        switch provider.takeTransportDisturbance(for: received) {
        case .silence:
            // Whoever stops the server does not wait for a client that waits.
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await channel.closeFuture.get()
            } onCancelOrGracefulShutdown: {
                Self.abort(channel)
            }
            throw ChannelError.ioOnClosedChannel
        case .close: throw ChannelError.inputClosed
        case .bytes(let bytes):
            try await write(bytes, to: channel)
            throw ChannelError.inputClosed
        case .hold(let gate): await gate.wait()
        case .answer, nil: break
        }
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

    private func tlsVersion(of channel: any Channel) async -> String? {
        switch try? await channel.nioSSL_tlsVersion().get() {
        case .tlsv1: "TLS 1.0"
        case .tlsv11: "TLS 1.1"
        case .tlsv12: "TLS 1.2"
        case .tlsv13: "TLS 1.3"
        case nil: nil
        }
    }

    /// Closes the connection past TLS, which would wait for the client to say goodbye.
    private static func abort(_ channel: any Channel) {
        channel.eventLoop.execute {
            let context = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            context?.close(promise: nil)
        }
    }

    /// Writes bytes through TLS, but past everything that knows HTTP.
    private func write(_ bytes: [UInt8], to channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            let context = try channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            guard let handler = context.handler as? NIOSSLServerHandler else { return }
            handler.write(context: context, data: NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            handler.flush(context: context)
        }.get()
    }
}
