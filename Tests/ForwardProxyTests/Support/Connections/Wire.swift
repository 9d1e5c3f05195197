import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// One end of a connection in a test: raw bytes out, and in what order they came in.
final class Wire: Sendable {
    struct Ended: Error {
        var received: String
    }

    let channel: any Channel
    let inbox: Inbox

    init(channel: any Channel, inbox: Inbox) {
        self.channel = channel
        self.inbox = inbox
    }

    /// - Parameter address: The address to connect from; nil: as the system chooses.
    static func connect(host: String = "127.0.0.1", from address: String? = nil, port: Int) async throws -> Wire {
        let inbox = Inbox()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        let channel =
            try await bootstrap
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(InboxHandler(inbox))
                }
            }
            .connect(host: host, port: port)
            .get()
        return Wire(channel: channel, inbox: inbox)
    }

    /// Waits until nothing listens there any more: a process that another test starts has the socket too, for as long
    /// as it lives.
    static func awaitRefusal(host: String = "127.0.0.1", port: Int) async {
        while !Task.isCancelled, let wire = try? await connect(host: host, port: port) {
            await wire.close()
            await Task.yield()
        }
    }

    // MARK: Out

    /// Sends a text, each line feed as CR LF.
    func send(_ text: String) async throws {
        try await sendBytes(ByteBuffer(string: text.withNetworkLineEnds))
    }

    func sendBytes(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(bytes)
    }

    /// Ends this side only.
    func finishSending() async throws {
        try await channel.close(mode: .output)
    }

    func close() async {
        try? await channel.close()
    }

    /// Closes with a reset, past TLS.
    func reset() async throws {
        try await channel.eventLoop.submit { [channel] in
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            if let tls = Self.tlsContext(of: channel) {
                tls.close(promise: nil)
            } else {
                channel.pipeline.syncOperations.close(promise: nil)
            }
        }.get()
    }

    /// Ends the connection in order for TCP, but without TLS's closure alert.
    func endWithoutNotice() async throws {
        try await channel.eventLoop.submit { [channel] in
            guard let tls = Self.tlsContext(of: channel) else { throw ChannelError.operationUnsupported }
            tls.close(promise: nil)
        }.get()
    }

    /// Returns TLS's context, from which a close goes on towards the socket without TLS's closure alert.
    private static func tlsContext(of channel: any Channel) -> ChannelHandlerContext? {
        let pipeline = channel.pipeline.syncOperations
        return (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
            ?? (try? pipeline.context(handlerType: NIOSSLClientHandler.self))
    }

    // MARK: In

    /// Everything up to and with the first empty line.
    func head() async throws -> Message {
        let text = try await inbox.wait { contents -> String? in
            guard let end = contents.bytes.readableBytesView.firstRange(of: "\r\n\r\n".utf8)?.upperBound else {
                if contents.end != nil { throw Ended(received: contents.bytes.latin1) }
                return nil
            }
            return contents.bytes.readSlice(length: end - contents.bytes.readerIndex)?.latin1
        }
        return Message(lines: text.components(separatedBy: "\r\n").filter { !$0.isEmpty }, body: "")
    }

    func bytes(_ count: Int) async throws -> String {
        try await inbox.wait { contents in
            guard contents.bytes.readableBytes >= count else {
                if contents.end != nil { throw Ended(received: contents.bytes.latin1) }
                return nil
            }
            return contents.bytes.readSlice(length: count)?.latin1
        }
    }

    private func line() async throws -> String {
        try await inbox.wait { contents in
            guard let end = contents.bytes.readableBytesView.firstRange(of: "\r\n".utf8)?.upperBound else {
                if contents.end != nil { throw Ended(received: contents.bytes.latin1) }
                return nil
            }
            return contents.bytes.readSlice(length: end - contents.bytes.readerIndex)
                .map { String($0.latin1.unicodeScalars.dropLast(2)) }
        }
    }

    /// A whole message, by the framing that its fields tell.
    func message(hasBody: Bool = true) async throws -> Message {
        var message = try await head()
        guard hasBody else { return message }
        if let length = message["Content-Length"].flatMap({ Int($0) }) {
            message.body = try await bytes(length)
        } else if message["Transfer-Encoding"] == "chunked" {
            while true {
                guard let size = Int(try await line(), radix: 16) else { throw Ended(received: message.body) }
                if size == 0 { break }
                message.body += try await bytes(size)
                _ = try await line()
            }
            while case let line = try await line(), !line.isEmpty { message.trailers.append(line) }
        } else if message.startLine.hasPrefix("HTTP/"), message.status != 204, message.status != 304 {
            message.body = try await rest().received
        }
        return message
    }

    /// Returns what comes until the end, and how it ends.
    func rest() async throws -> (received: String, end: Inbox.End) {
        try await inbox.wait { contents in
            guard let end = contents.end else { return nil }
            let text = contents.bytes.latin1
            contents.bytes.clear()
            return (text, end)
        }
    }

    /// Returns how the peer's side ends; what else comes is thrown away.
    func end() async throws -> Inbox.End {
        try await inbox.wait { contents in
            contents.bytes.clear()
            return contents.end
        }
    }

    /// Waits until so many bytes have come in all.
    func received(atLeast count: Int) async throws {
        _ = try await inbox.wait { contents -> Bool? in
            guard contents.total < count else { return true }
            if contents.end != nil { throw Ended(received: "\(contents.total) bytes") }
            return nil
        }
    }
}

extension ByteBuffer {
    /// One character for each byte.
    var latin1: String {
        var scalars = String.UnicodeScalarView()
        for byte in readableBytesView { scalars.append(UnicodeScalar(byte)) }
        return String(scalars)
    }
}

extension String {
    func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// The bytes of a text of ``ByteBuffer/latin1``.
    var latin1Bytes: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
