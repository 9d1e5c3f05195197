import HTTP2Codec
import NIOCore

/// A connection of either role that receives any frames: what it does does not depend on the pieces they come in, and
/// it sends no more than they can ask for.
///
/// The input is a byte for the role and for how to cut the frames, one for what the caller answers, and a script of
/// frames.
enum HTTP2FramesTarget: FuzzTarget {
    static let name = "http2-frames"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let answers = reader.byte()
        let role = choice & 1 == 0 ? HTTP2Role.server : .client
        let bytes = FrameScript.bytes(of: &reader, toServer: role == .server)
        var whole = FrameReceiver(role: role, answers: answers)
        whole.receive(bytes)
        let kept = whole.finish()
        var inPieces = FrameReceiver(role: role, answers: answers)
        // Behind every byte only where that are few: an input stands for a lot of frames.
        let seed = bytes.count > 2_000 ? choice >> 1 | 1 : choice >> 1
        for piece in Pieces.of(bytes, seed: seed) where !inPieces.hasFailed { inPieces.receive(piece) }
        _ = inPieces.finish()
        require(whole.transcript == inPieces.transcript, "\(whole.transcript), in pieces \(inPieces.transcript)")
        require(whole.output == inPieces.output, "other bytes are sent when the frames come in pieces")
        let bound = 2 * bytes.count + whole.allowance + 1_024
        require(whole.output.readableBytes <= bound, "\(whole.output.readableBytes) bytes are sent for \(bytes.count)")
        require(kept <= whole.allowance, "\(kept) bytes are kept")
    }
}
