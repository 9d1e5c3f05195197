import NIOCore

@testable import DecoderComparison
@testable import HTTP1Codec

/// A stream of requests: how it is cut into pieces does not matter, llhttp reads the same messages, and a head that is
/// forwarded is read as the same request again.
///
/// The input is a byte that says how to cut it, and the stream.
enum RequestsTarget: FuzzTarget {
    static let name = "requests"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let seed = reader.byte()
        let stream = reader.remainder()
        let whole = OwnDecoder.requests([stream])
        let pieces = Pieces.of(stream, seed: seed)
        let inPieces = OwnDecoder.requests(pieces)
        // Another one of several faults may be met first.
        let isSame = whole.messages == inPieces.messages && (whole.refusal == nil) == (inPieces.refusal == nil)
        require(isSame, "read otherwise in pieces: \(whole), \(inPieces)")
        do {
            let agreement = RequestComparison.agreement(whole, try StockDecoder.requests(stream), stream)
            require(agreement.violations.isEmpty, "\(agreement.violations)")
        } catch {
            fatalError("the stock decoder cannot be set up: \(error)")
        }
        checkBounds(pieces)
        checkForwardedHeads(stream)
    }

    /// Checks small limits: nothing is kept beyond them, and what is read is the beginning of what is read without.
    private static func checkBounds(_ pieces: [[UInt8]]) {
        var decoder = RequestDecoder(limits: .small)
        var transcript = Transcript()
        for piece in pieces {
            OwnDecoder.feed(piece, to: &decoder, into: &transcript)
            if transcript.refusal != nil { return }
            guard transcript.messages.last?.mayEndHTTP != true else { return }
            require(decoder.bufferedBytes <= 512, "\(decoder.bufferedBytes) bytes are kept")
        }
    }

    private static func checkForwardedHeads(_ stream: [UInt8]) {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(bytes: stream))
        while let event = try? decoder.next() {
            guard case .head(let head) = event else { continue }
            if head.method == .connect { return }
            var written = ByteBuffer()
            let host = head.fields.contains(.host) ? nil : ByteBuffer(string: "h")
            head.write(into: &written, host: host, dropping: [.connection], appending: ["X-Last": "1"])
            var again = RequestDecoder(limits: .roomy)
            again.append(written)
            guard case .head(let copy)? = try? again.next() else {
                fatalError("\(name): a head was written that cannot be read: \(String(buffer: written))")
            }
            require(copy.methodBytes == head.methodBytes && copy.target == head.target, "another request line")
            require(copy.framing == head.framing, "framed as \(copy.framing), was \(head.framing)")
            require(again.bufferedBytes == 0, "more than the head was written")
            let dropped: [KnownField] = host == nil ? [.connection] : [.connection, .host]
            let kept = head.fields.filter { !$0.isNominated && !dropped.contains($0.known) }.map(\.name)
            let expected = (host == nil ? [] : [ByteBuffer(string: "Host")]) + kept + [ByteBuffer(string: "X-Last")]
            require(copy.fields.map(\.name) == expected, "other fields: \(String(buffer: written))")
        }
    }
}
