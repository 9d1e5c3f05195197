import NIOCore
import NIOEmbedded

/// One connection of an implementation to a peer that is played from its input.
final class Connection {
    private let role: Role
    private let sink: ByteSink
    private let channel: EmbeddedChannel
    private let contestant: any Contestant
    private var requests = 0
    private var unsent: Int

    /// - Parameters:
    ///   - requests: The number of requests that the peer's input has in all.
    ///   - keepsOutput: Whether what is sent is kept in ``output``.
    init(_ implementation: Implementation, _ role: Role, requests: Int, keepsOutput: Bool = false) throws {
        self.role = role
        sink = ByteSink(keepsBytes: keepsOutput)
        channel = EmbeddedChannel(handler: sink)
        contestant = try implementation.makeContestant(role, in: channel)
        unsent = requests
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
    }

    var output: ByteBuffer { sink.kept }
    var sentBytes: Int { sink.bytes }

    func open(_ input: PeerInput) throws {
        try receive(input.opening)
    }

    /// Plays reads, and before each of them what the implementation has to send: so that 64 streams are open when it has
    /// been sent, or, for a server, when it has been read.
    func play(_ reads: ArraySlice<ByteBuffer>) throws {
        for read in reads {
            switch role {
            case .server: if requests >= Work.inFlight { try send(Work.perRead) }
            case .client: try send(requests == 0 ? Work.inFlight : Work.perRead)
            }
            try receive(read)
            requests += Work.perRead
        }
    }

    /// Sends what is still to be sent, and judges all that was handed over.
    func finish() throws {
        if role == .server { try send(unsent) }
        let tally = contestant.tally
        let bodyBytes = role == .client ? requests * Work.body.readableBytes : 0
        guard tally.heads == requests, tally.ends == requests, tally.bodyBytes == bodyBytes, unsent == 0,
            tally.unexpectedHeads == 0
        else { throw InvalidComparison("\(requests) requests, but \(tally), \(unsent) not sent") }
        // What streams have left.
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private func receive(_ bytes: ByteBuffer) throws {
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
    }

    private func send(_ count: Int) throws {
        let count = min(count, unsent)
        try contestant.send(count)
        channel.embeddedEventLoop.run()
        unsent -= count
    }
}
