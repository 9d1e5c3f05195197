import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Probes of silent connections", .generousLimit, .timed)
struct KeepAliveTests {
    /// Indicates whether the kernel has set a socket's timer of probes: the column `tr` of proc(5)'s table is 02 then.
    private func isProbed(local: SocketAddress?, remote: SocketAddress?) throws -> Bool {
        let local = try #require(local.flatMap(SocketOwner.endpoint)).spellings
        let remote = try #require(remote.flatMap(SocketOwner.endpoint)).spellings
        let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        let table = try file.readToEnd() ?? Data()
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            let columns = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard columns.count > 5, local.contains(columns[1]), remote.contains(columns[2]) else { continue }
            return columns[5].hasPrefix("02:")
        }
        Issue.record("no such socket: \(local) \(remote) \(table.count)")
        return false
    }

    @Test("While a response is awaited, both of its connections are probed")
    func bothSides() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            // Nothing has been sent to the client yet, so that its connection's timer cannot be that of a
            // retransmission.
            #expect(try isProbed(local: client.channel.remoteAddress, remote: client.channel.localAddress))
            try await server.send("HTTP/1.1 103 Early Hints\n\n")
            #expect(try await client.head().status == 103)
            // What came from the upstream has acknowledged the request.
            #expect(try isProbed(local: server.channel.remoteAddress, remote: server.channel.localAddress))
        }
    }
}
