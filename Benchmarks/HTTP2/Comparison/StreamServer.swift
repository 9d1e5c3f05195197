import NIOCore
import NIOEmbedded
import NIOHTTP2

/// A server by `NIOHTTP2Handler` with a channel for each stream.
final class StreamServer: Contestant {
    var tally = Tally()
    let heads: LibraryHeads
    var waiting = CircularBuffer<ServedStream>(initialCapacity: 128)

    init(in channel: EmbeddedChannel, convertsHeads: Bool) throws {
        heads = try LibraryHeads(convertsHeads: convertsHeads)
        let server = NIOLoopBound(self, eventLoop: channel.eventLoop)
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: LibrarySettings.connection(.server),
            streamConfiguration: LibrarySettings.stream
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(ServedStream(server: server.value))
            }
        }
    }

    func send(_ count: Int) {
        for _ in 0..<count { waiting.removeFirst().answer() }
    }
}

@available(*, unavailable)
extension StreamServer: Sendable {}
