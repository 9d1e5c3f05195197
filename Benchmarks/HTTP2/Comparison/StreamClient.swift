import NIOCore
import NIOEmbedded
import NIOHTTP2

/// A client by `NIOHTTP2Handler` with a channel for each stream.
final class StreamClient: Contestant {
    var tally = Tally()
    let heads: LibraryHeads
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let eventLoop: any EventLoop
    private var sent = 0

    init(in channel: EmbeddedChannel, convertsHeads: Bool) throws {
        heads = try LibraryHeads(convertsHeads: convertsHeads)
        eventLoop = channel.eventLoop
        multiplexer = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .client,
            connectionConfiguration: LibrarySettings.connection(.client),
            streamConfiguration: LibrarySettings.stream
        ) { stream in
            stream.eventLoop.makeFailedFuture(InvalidComparison("a server pushed a response"))
        }
    }

    func send(_ count: Int) {
        let client = NIOLoopBound(self, eventLoop: eventLoop)
        for _ in 0..<count {
            let number = sent
            multiplexer.createStreamChannel(promise: nil) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let handler = RequestedStream(client: client.value, number: number)
                    try stream.pipeline.syncOperations.addHandler(handler)
                }
            }
            sent += 1
        }
    }
}

@available(*, unavailable)
extension StreamClient: Sendable {}
