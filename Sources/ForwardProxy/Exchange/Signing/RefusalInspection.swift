import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning

/// The inspection of a response that may refuse the signature or the token, as a plain value: the response is held back
/// while it is read, and what was found in it goes to the client with it. The one thing in it that is no plain value is
/// the timer of the response that is held back, which is cancelled when that is let go.
struct RefusalInspection {
    /// Bytes of a refusal that are held back while it is read.
    static let limit = 64 * 1024

    /// The response that is held back; nil when none is.
    @Rare private(set) var held: HeldResponse?
    /// The trailers of the response that is or was held back.
    private(set) var trailers: FieldSection?
    /// The refusal in the response that is held back, or goes to the client.
    @Rare private(set) var diagnosis: ProviderDiagnosis?
    /// A further remark on the refusal, in a sentence.
    var note: String?
    /// The signature of the client's own that the response may refuse, and what the client did differently.
    @Rare private var own: (signature: OwnSignature, outcome: OwnSignature.Outcome?)?
    /// The provider's clock as this exchange learnt it, and as it was known before.
    @Rare private var learntOffset: (learnt: Int64, before: Int64)?

    var isHolding: Bool { !_held.isNothing }
    var ownSignature: OwnSignature? { own?.signature }
    var ownOutcome: OwnSignature.Outcome? { own?.outcome }

    mutating func hold(_ response: ResponseHead) {
        held = HeldResponse(response)
    }

    /// The response that may come is to be held back if it refuses a signature of the client's own.
    mutating func expectRefusal(of signature: OwnSignature) {
        own = (signature, nil)
    }

    /// It is known what the client did differently.
    mutating func compared(_ outcome: OwnSignature.Outcome) {
        own?.outcome = outcome
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

    // MARK: Diagnosis

    /// Reads what the response that is held back refuses.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that are not repeated from its words.
    ///   - requestSecrets: Likewise, of the client's request.
    mutating func diagnose(secrets: [Secret], requestSecrets: () -> RequestSecrets = { RequestSecrets() }) {
        guard let held else { return }
        let response = held.head
        let coding = response.fields.string(of: .contentEncoding) ?? ""
        let body = ContentDecoding.decode(held.body, contentEncoding: coding, limit: Self.limit)
        diagnosis = ProviderDiagnosis.read(
            status: response.status,
            fields: response.fields.map { (String(buffer: $0.name), String(buffer: $0.value)) },
            body: body.map { [UInt8](buffer: $0) } ?? [],
            unreadBody: body == nil && held.body.readableBytes > 0 ? "Content-Encoding: \(coding)" : nil,
            secrets: secrets,
            requestSecrets: requestSecrets
        )
    }

    /// Returns the part of the authorization that the response which is held back refuses; nil where no other one would
    /// be of use.
    func refusedPart(of authorization: ReadyAuthorization) -> ExchangeStateMachine.RefusedPart? {
        let refusesToken = diagnosis?.refusesToken ?? false || (held?.head.status == 401 && authorization.isAccessToken)
        if refusesToken, authorization.isRenewable { return .token }
        return diagnosis?.cause == .timestampRefused ? .timestamp : nil
    }

    /// Returns what the refusal means and what to do, for the log and the client; nil when there is none.
    func sentence(_ context: ProviderDiagnosis.Context) -> String? {
        guard let sentence = diagnosis?.sentence(context) else { return nil }
        guard let note else { return sentence }
        let end = [".", "!", "?"].contains(where: sentence.hasSuffix) ? "" : "."
        return "\(sentence)\(end) \(note)"
    }

    // MARK: The provider's clock

    /// Returns the provider's time minus this machine's, in seconds, as a response tells it.
    ///
    /// - Parameter now: This machine's time, in seconds since 1970-01-01T00:00:00Z.
    func clockOffset(_ response: ResponseHead, now: Int64) -> Int64? {
        let byDate = response.fields.string(of: .date).flatMap { ClockOffset.read(date: $0, now: now) }
        guard let acceptable = diagnosis?.acceptableTimestamps else { return byDate }
        if let byDate, acceptable.contains(UInt64(max(0, now + byDate))) { return byDate }
        return ClockOffset.read(acceptable: acceptable, now: now)
    }

    /// The provider's time minus this machine's, in seconds, as far as that may be why the request was refused; nil when
    /// it was signed by the provider's clock.
    ///
    /// - Parameters:
    ///   - timestamp: The one that the request was signed with; nil where it carried none.
    ///   - now: This machine's time, in seconds since 1970-01-01T00:00:00Z.
    func clockDifference(_ response: ResponseHead, signedAt timestamp: UInt64?, now: Int64) -> Int64? {
        guard let offset = clockOffset(response, now: now) else { return nil }
        guard let timestamp else { return offset }
        let signed = Int64(clamping: timestamp) - now
        return offset.subtractingReportingOverflow(signed).partialValue.magnitude > 5 ? offset : nil
    }

    /// The provider's clock is followed from now on.
    mutating func clockLearnt(_ offset: Int64, before: Int64) {
        learntOffset = (offset, before)
        note = "That clock is followed from now on: send the request again."
    }

    /// The request was repeated by the clock that was learnt, and that was refused too: it is not the provider's.
    ///
    /// - Returns: The offset that was learnt, and the one that was known before; nil when nothing was.
    mutating func clockRefused() -> (learnt: Int64, before: Int64)? {
        defer { learntOffset = nil }
        if learntOffset != nil { note = "A timestamp by the provider's Date field was refused, too." }
        return learntOffset
    }

    // MARK: The end

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
