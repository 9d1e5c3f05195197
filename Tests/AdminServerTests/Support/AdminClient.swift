import NIOCore
import NIOPosix

/// Sends bytes to a listener on loopback and gathers what comes back until the server closes.
struct AdminClient: Sendable {
    var host = "127.0.0.1"
    let port: Int

    /// One request on a connection of its own. `Host` is the listener's address unless the fields have another.
    func send(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: String = ""
    ) async throws -> AdminReply {
        var fields = fields
        if !fields.contains(where: { $0.0 == "Host" }) { fields.insert(("Host", "\(host):\(port)"), at: 0) }
        if !body.isEmpty, !fields.contains(where: { $0.0 == "Transfer-Encoding" }) {
            fields.append(("Content-Length", "\(body.utf8.count)"))
        }
        fields.append(("Connection", "close"))
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        return try AdminReply(await exchange(head + body))
    }

    func register(_ body: String, type: String? = "application/x-www-form-urlencoded") async throws -> AdminReply {
        try await send("POST", "/register", fields: type.map { [("Content-Type", $0)] } ?? [], body: body)
    }

    /// Returns the answer to a GET with these Host fields: none, as HTTP/1.0 allows, or several.
    func get(_ target: String, hosts: [String], fields: [(String, String)] = []) async throws -> AdminReply {
        let lines = (hosts.map { ("Host", $0) } + fields).map { "\($0): \($1)\r\n" }.joined()
        return try AdminReply(await exchange("GET \(target) HTTP/1.1\r\n\(lines)Connection: close\r\n\r\n"))
    }

    /// A connection on which nothing is asked yet.
    func connect() async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: host, port: port)
            .get()
    }

    /// Returns what comes back first, though the request goes on.
    func beginning(of bytes: String) async throws -> String {
        try await exchange(bytes) { _ in true }
    }

    /// Returns what comes back until that is enough, or the server closes.
    func follow(_ bytes: String, until isEnough: (String) -> Bool) async throws -> String {
        try await exchange(bytes) { isEnough(String(buffer: $0)) }
    }

    /// - Parameter isEnough: Whether no more is waited for, of what has come back; else it is until the server closes.
    private func exchange(_ bytes: String, isEnough: (ByteBuffer) -> Bool = { _ in false }) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: bytes))
            var received = ByteBuffer()
            for try await part in inbound {
                received.writeImmutableBuffer(part)
                if isEnough(received) { break }
            }
            return String(buffer: received)
        }
    }
}
