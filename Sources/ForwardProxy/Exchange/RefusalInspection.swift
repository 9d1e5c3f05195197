import Credentials
import HTTP1Codec
import NIOCore

/// The inspection of a response that may refuse the signature or the token, as a plain value: the response is held back
/// while it is read, and what was found in it goes to the client with it.
struct RefusalInspection {
    /// Bytes of a refusal that are held back while it is read.
    static let limit = 64 * 1024

    /// The response that is held back; nil when none is.
    private(set) var held: HeldResponse?
    /// The trailers of the response that is or was held back.
    private(set) var trailers: FieldSection?
    /// The refusal in the response that is held back, or goes to the client.
    var diagnosis: ProviderDiagnosis?
    /// A further remark on the refusal, in a sentence.
    var note: String?
    /// The provider's clock as this exchange learnt it, and as it was known before.
    var learntOffset: (learnt: Int64, before: Int64)?

    var isHolding: Bool { held != nil }

    mutating func hold(_ response: ResponseHead) {
        held = HeldResponse(response)
    }

    /// - Parameter timer: Ends the inspection of a response that takes too long.
    mutating func end(by timer: Scheduled<Void>) {
        held?.timer = timer
    }

    /// - Returns: Whether it is too much to be held back.
    mutating func append(_ bytes: ByteBuffer) -> Bool {
        held?.body.writeImmutableBuffer(bytes)
        return (held?.body.readableBytes ?? 0) > Self.limit
    }

    /// The response is whole.
    mutating func complete(trailers: FieldSection?) {
        held?.timer?.cancel()
        self.trailers = trailers
    }

    /// Takes the response, which goes to the client.
    mutating func takeHeld() -> HeldResponse? {
        held?.timer?.cancel()
        defer { held = nil }
        return held
    }

    /// The refusal has been made good, or is of no use: nobody sees it.
    mutating func drop() {
        held?.timer?.cancel()
        held = nil
        trailers = nil
        diagnosis = nil
    }
}
