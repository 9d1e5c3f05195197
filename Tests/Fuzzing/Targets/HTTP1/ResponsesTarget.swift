import NIOCore

@testable import DecoderComparison
@testable import HTTP1Codec

/// A stream of responses: how it is cut into pieces does not matter, llhttp reads the same messages, and a head that is
/// forwarded is read as the same response again.
///
/// The input is a byte that says how to cut it, one for the requests and the end of the connection, and the stream.
enum ResponsesTarget: FuzzTarget {
    static let name = "responses"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let seed = reader.byte()
        let choice = reader.byte()
        let stream = reader.remainder()
        let methods = (0..<4).map { choice >> (2 * $0) & 3 == 1 ? RequestMethod.head : .get }
        let closing = choice & 2 == 2
        let whole = OwnDecoder.responses([stream], to: methods, closing: closing)
        let inPieces = OwnDecoder.responses(Pieces.of(stream, seed: seed), to: methods, closing: closing)
        // Another one of several faults may be met first.
        let isSame = whole.messages == inPieces.messages && (whole.refusal == nil) == (inPieces.refusal == nil)
        require(isSame, "read otherwise in pieces: \(whole), \(inPieces)")
        do {
            let names = methods.map { $0 == .head ? "HEAD" : "GET" }
            let stock = try StockDecoder.responses(stream, to: names, closing: closing)
            let agreement = ResponseComparison.agreement(whole, stock, stream, methods)
            require(agreement.violations.isEmpty, "\(agreement.violations)")
        } catch {
            fatalError("the stock decoder cannot be set up: \(error)")
        }
        checkBounds(Pieces.of(stream, seed: seed), methods)
        checkForwardedHeads(stream, methods)
    }

    /// Checks small limits: nothing is kept beyond them.
    private static func checkBounds(_ pieces: [[UInt8]], _ methods: [RequestMethod]) {
        var decoder = ResponseDecoder(limits: .small)
        for method in methods { decoder.expect(responseTo: method) }
        for piece in pieces {
            decoder.append(ByteBuffer(bytes: piece))
            do throws(MessageError) {
                while let event = try decoder.next() {
                    if case .head(let head) = event, head.status == 101 { return }
                }
            } catch {
                return
            }
            require(decoder.bufferedBytes <= 512, "\(decoder.bufferedBytes) bytes are kept")
        }
    }

    private static func checkForwardedHeads(_ stream: [UInt8], _ methods: [RequestMethod]) {
        var decoder = ResponseDecoder()
        for method in methods { decoder.expect(responseTo: method) }
        decoder.append(ByteBuffer(bytes: stream))
        var answered = 0
        while let event = try? decoder.next() {
            guard case .head(let head) = event else { continue }
            let method = methods[answered]
            if !head.isInformational { answered += 1 }
            var written = ByteBuffer()
            head.write(into: &written, dropping: [.connection], appending: ["X-Last": "1"])
            var again = ResponseDecoder(limits: .roomy)
            again.expect(responseTo: method)
            again.append(written)
            guard case .head(let copy)? = try? again.next() else {
                fatalError("\(name): a head was written that cannot be read: \(String(buffer: written))")
            }
            require(copy.status == head.status && copy.reason == head.reason, "another status line")
            require(copy.framing == head.framing, "framed as \(copy.framing), was \(head.framing)")
            require(again.bufferedBytes == 0, "more than the head was written")
            if head.status == 101 { return }
        }
    }
}
