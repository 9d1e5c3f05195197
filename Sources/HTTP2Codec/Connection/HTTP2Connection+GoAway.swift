import HTTP1Codec
import NIOCore

/// The end of a connection (RFC 9113, sections 5.4.1 and 6.8).
extension HTTP2Connection {
    /// Whether either side has announced the end, so that no stream is opened any more.
    package var isGoingAway: Bool {
        admittedStreamID != nil || hasReceivedGoAway || failure != nil
    }

    /// Announces the end; streams that are open go on. A graceful end has two calls, at least a round trip apart: the
    /// first admits later streams, which may be under way, the second does not.
    ///
    /// - Parameter refusingLaterStreams: Whether the peer is told the highest stream that is processed. Later ones are
    ///   ignored then, and a client knows that it may repeat them.
    package mutating func goAway(_ code: HTTP2ErrorCode = .noError, refusingLaterStreams: Bool) {
        guard failure == nil else { return }
        let last = refusingLaterStreams ? highestProcessedStreamID : HTTP2StreamID.last
        if let admitted = admittedStreamID, admitted <= last { return }
        admittedStreamID = last
        output.buffer.writeGoAway(lastStreamID: last, code: code)
    }

    /// Asks the peer for a sign of life; `pong` brings the value back.
    package mutating func sendPing(_ value: UInt64) {
        if failure == nil { output.buffer.writePing(value, isAcknowledgement: false) }
    }

    mutating func fail(_ error: HTTP2ConnectionError) {
        failure = error
        output.buffer.writeGoAway(
            lastStreamID: highestProcessedStreamID,
            code: error.code,
            debugText: error.description
        )
        input = InputBuffer()
        streams = StreamTable()
        turns = TurnQueue()
    }

    /// The highest stream of the peer that has been or may be processed; a server opens none.
    private var highestProcessedStreamID: HTTP2StreamID {
        guard role == .server else { return .connection }
        return min(highestStreamID, admittedStreamID ?? .last)
    }
}
