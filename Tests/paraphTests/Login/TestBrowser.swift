import NIOCore
import NIOPosix
import Testing

/// Sends one request over a connection of its own, as a browser would, and reads the whole answer.
enum TestBrowser {
    struct Answer: Sendable {
        var status: Int
        var text: String
    }

    /// - Parameter address: Absolute, on loopback with a port.
    static func send(_ method: String = "GET", _ address: String) async throws -> Answer {
        let match = try #require(address.wholeMatch(of: /http:\/\/([^\/:]+|\[::1\]):(\d+)(\/.*)/))
        let host = String(match.1), port = try #require(Int(match.2)), target = String(match.3)
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host == "localhost" ? "127.0.0.1" : host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            let head = "\(method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"
            try await outbound.write(ByteBuffer(string: head))
            var text = ""
            for try await part in inbound { text += String(buffer: part) }
            let status = try #require(text.firstMatch(of: /HTTP\/1.1 (\d{3})/)?.1)
            return Answer(status: try #require(Int(status)), text: text)
        }
    }
}
