import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore

/// Gives probes to Paraph's codec.
enum CodecProbe {
    /// - Returns: The last that came of it, in words.
    static func outcome(of probe: Probe) -> String {
        var connection = HTTP2Connection(role: .server)
        connection.receive(PeerInput(to: .server, reads: 0).opening)
        var outcome = "nothing"
        do throws(HTTP2ConnectionError) {
            for _ in 0..<probe.repetitions {
                connection.receive(probe.input)
                while let event = try connection.next() {
                    switch event {
                    case .requestHead(_, let head, _): outcome = "head: \(text(of: head))"
                    case .reset(_, _, let error?): outcome = "stream reset: \(error.label)"
                    case .refused(_, _, let status): outcome = "refused with \(status)"
                    default: break
                    }
                }
                _ = connection.takeOutput()
            }
        } catch {
            return "connection ended: \(error.label)"
        }
        return outcome
    }

    private static func text(of head: RequestHead) -> String {
        head.fields.filter { $0.known != .host }.map { "\(Array($0.value.readableBytesView))" }.joined()
    }

    /// - Returns: The bytes sent of two bodies of 100,000 bytes, one begun after the other, to a server that reads none.
    static func uploads() throws -> [Int] {
        var connection = HTTP2Connection(role: .client)
        let head = try RequestHead(
            method: "POST".utf8,
            target: "/".utf8,
            fields: [(name: "Host", value: [0x61])],
            contentLength: 100_000
        )
        let streams = (0..<2).compactMap { _ in connection.openStream() }
        for streamID in streams {
            connection.sendRequest(
                streamID,
                head,
                scheme: .https,
                authority: ByteBuffer(string: "a"),
                endsStream: false
            )
        }
        for streamID in streams {
            connection.sendData(streamID, ByteBuffer(repeating: 0, count: 100_000), endsStream: true)
        }
        return streams.map { 100_000 - connection.pendingBytes($0) }
    }
}
