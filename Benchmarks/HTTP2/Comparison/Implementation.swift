import NIOEmbedded

/// An implementation that is compared, in one of the ways to use it.
enum Implementation: CaseIterable {
    /// Paraph's own codec.
    case codec
    /// `NIOHTTP2Handler` alone, which reads and writes frames.
    case frames
    /// The same, with heads in the form that the proxy works with.
    case framesWithHeads
    /// `NIOHTTP2Handler` with a channel for each stream.
    case streams
    /// The same, with heads in the form that the proxy works with.
    case streamsWithHeads

    var name: String {
        switch self {
        case .codec: "HTTP2Codec"
        case .frames: "NIOHTTP2Handler, frames"
        case .framesWithHeads: "the same, heads converted"
        case .streams: "NIOHTTP2Handler, stream channels"
        case .streamsWithHeads: "the same, heads converted"
        }
    }

    func makeContestant(_ role: Role, in channel: EmbeddedChannel) throws -> any Contestant {
        let convertsHeads = self == .framesWithHeads || self == .streamsWithHeads
        return switch (self, role) {
        case (.codec, .server): try CodecServer(in: channel)
        case (.codec, .client): try CodecClient(in: channel)
        case (.frames, .server), (.framesWithHeads, .server):
            try FrameServer(in: channel, convertsHeads: convertsHeads)
        case (.frames, .client), (.framesWithHeads, .client):
            try FrameClient(in: channel, convertsHeads: convertsHeads)
        case (.streams, .server), (.streamsWithHeads, .server):
            try StreamServer(in: channel, convertsHeads: convertsHeads)
        case (.streams, .client), (.streamsWithHeads, .client):
            try StreamClient(in: channel, convertsHeads: convertsHeads)
        }
    }
}
