import Bytes
import ForwardProxy
import NIOCore
import NIOPosix
import NIOSSL
import OAuthSigning
import ParaphConfiguration
import Settings

/// One GET to a listener of this machine's, and its whole answer.
enum PlainRequest {
    struct Answer: Sendable {
        let status: Int
        fileprivate let lines: [Substring]
        let body: String

        func field(_ name: String) -> String? {
            for line in lines {
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                    continue
                }
                return String(line[line.index(after: colon)...].drop { $0 == " " })
            }
            return nil
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - token: Sent as `Authorization: Bearer TOKEN`; nil: none is.
    ///   - limit: Bytes of the answer that are read.
    ///   - speaksTLS: Whether the listener does. Its certificate is not looked at: nothing is sent but the request's
    ///     line.
    ///   - timeout: The time for all of it.
    static func get(
        _ path: String,
        from address: ListenAddress,
        token: Secret? = nil,
        speaksTLS: Bool = false,
        limit: Int = 256 * 1024,
        timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(Failure) -> Answer {
        let deadline = NIODeadline.now() + timeout
        let host = address.path == nil ? reachable(address.host) : "localhost"
        let request = head(path, host: host, port: address.port, token: token)
        let late = Failure(description: "it does not answer in time")
        do {
            let channel = try await connect(to: address, speaksTLS: speaksTLS, within: timeout, on: group)
            let text = try await answer(to: request, on: channel, limit: limit, by: deadline)
            // The connection was given up then, and what has come is not all.
            guard NIODeadline.now() < deadline else { throw late }
            return try parse(text)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw NIODeadline.now() < deadline ? Failure(description: SocketErrorText.describe(error)) : late
        }
    }

    /// Returns where a listener is reached that listens on every address.
    static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// Returns the head of a request that is the last one of its connection.
    static func head(_ path: String, host: String, port: Int, token: Secret?) -> ByteBuffer {
        let authority = "\(bracketed(host: host)):\(port)"
        var head = ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n")
        if let token {
            head.writeString("Authorization: Bearer ")
            _ = token.withBytes { head.writeBytes($0.array) }
            head.writeString("\r\n")
        }
        head.writeString("\r\n")
        return head
    }

    private static func connect(
        to address: ListenAddress,
        speaksTLS: Bool,
        within timeout: TimeAmount,
        on group: any EventLoopGroup
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let tls = speaksTLS ? try NIOSSLContext(configuration: configuration) : nil
        let bootstrap = ClientBootstrap(group: group).connectTimeout(timeout)
        let initialize = { @Sendable (channel: any Channel) in
            channel.eventLoop.makeCompletedFuture {
                if let tls {
                    let handler = try NIOSSLClientHandler(context: tls, serverHostname: nil)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        if let path = address.path {
            let socket = try SocketAddress(unixDomainSocketPath: path)
            return try await bootstrap.connect(to: socket, channelInitializer: initialize)
        }
        return try await bootstrap.connect(
            host: reachable(address.host),
            port: address.port,
            channelInitializer: initialize
        )
    }

    private static func answer(
        to request: ByteBuffer,
        on channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        limit: Int,
        by deadline: NIODeadline
    ) async throws -> String {
        let giveUp = channel.channel.eventLoop.scheduleTask(deadline: deadline) {
            channel.channel.close(promise: nil)
        }
        defer { giveUp.cancel() }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            var received = ByteBuffer()
            for try await part in inbound where received.readableBytes < limit { received.writeImmutableBuffer(part) }
            return String(buffer: received)
        }
    }

    private static func parse(_ text: String) throws(Failure) -> Answer {
        // Swift takes CR LF for one character.
        guard let end = text.firstRange(of: "\r\n\r\n") else { throw Failure(description: "it does not speak HTTP") }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw Failure(description: "it does not speak HTTP")
        }
        return Answer(status: status, lines: Array(lines.dropFirst()), body: String(text[end.upperBound...]))
    }
}
