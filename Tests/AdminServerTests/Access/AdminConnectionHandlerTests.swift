import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import AdminServer

@Suite("A connection of the admin listener")
struct AdminConnectionHandlerTests {
    private static let request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1", path: "/register")

    private static func channel(_ connections: AdminConnections) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: AdminConnectionHandler(connections, bodyTimeout: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    @Test("gives way to newcomers until its request is there, and from when that is answered")
    func givesWay() throws {
        let connections = AdminConnections(limit: 1)
        let first = try Self.channel(connections)
        try first.writeInbound(HTTPRequestPart.head(Self.request))
        try first.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "access")))
        let second = try Self.channel(connections)
        #expect(!first.isActive)

        try second.writeInbound(HTTPRequestPart.head(Self.request))
        try second.writeInbound(HTTPRequestPart.end(nil))
        let third = try Self.channel(connections)
        #expect(second.isActive)

        // It is the longest idle one only after the other has been used.
        try second.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try third.writeInbound(HTTPRequestPart.head(Self.request))
        _ = try Self.channel(connections)
        #expect(!second.isActive && third.isActive)
    }

    @Test("ends with 408 when a body takes too long, however steadily it comes")
    func overdue() throws {
        let channel = try Self.channel(AdminConnections(limit: 8))
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.status == .requestTimeout)
    }

    @Test("ends without a second answer when its request was refused already")
    func overdueAndRefused() throws {
        let channel = try Self.channel(AdminConnections(limit: 8))
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        _ = try channel.readOutbound(as: HTTPResponsePart.self)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!channel.isActive)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test("has any time for its answer")
    func answer() throws {
        let channel = try Self.channel(AdminConnections(limit: 8))
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        _ = try channel.finish()
    }

    @Test("ends soon after its listener when its answer has begun and is not taken", arguments: [true, false])
    func answerNotTaken(isBegun: Bool) throws {
        let channel = try Self.channel(AdminConnections(limit: 8))
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        if isBegun { try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok))) }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive != isBegun)
        _ = try? channel.finish()
    }
}
