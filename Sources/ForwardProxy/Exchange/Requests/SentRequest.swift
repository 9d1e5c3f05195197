import Bytes
import HTTP1Codec
import Inspection
import NIOCore
import OAuthSigning
import UpstreamTrust

/// The part that the inspector shows of a request as it was last sent: taken down when it is, since its body is given up
/// soon after.
struct SentRequest {
    /// The number of a base string's parameters that are shown.
    private static let mostParameters = 256

    /// The lines of the head that was sent, without what may be secret.
    let head: [String]
    /// The lines of the head of the last response to it, without what may be secret; empty while there is none.
    var response: [String] = []
    private let signature: InspectedSignature?
    private let upstream: InspectedUpstream

    /// - Parameters:
    ///   - outgoing: The head that was written.
    ///   - fields: The fields that were appended to it.
    ///   - explanation: The explanation of the signature; nil when none was added.
    init(
        _ head: RequestHead,
        as outgoing: OutgoingRequest,
        fields: AppendedFields,
        signature method: SignatureMethod?,
        _ explanation: SigningExplanation?,
        on stream: any UpstreamStream,
        chain: [InspectedUpstream.Certificate],
        pins: InspectedUpstream.ConfiguredPins?
    ) {
        self.head = HeadText.lines(of: head, as: outgoing, appending: fields)
        signature = explanation.map { Self.signature(method, $0) }
        upstream = InspectedUpstream(
            address: stream.address?.urlText,
            version: stream.version,
            chain: chain,
            pins: pins
        )
    }

    /// The part of a request that was not sent, since the server's certificates were not accepted.
    init(refused failure: TrustFailure) {
        head = []
        signature = nil
        upstream = InspectedUpstream(
            address: nil,
            version: nil,
            chain: failure.presented.map { InspectedUpstream.Certificate($0, pinning: failure.pinning) },
            pins: failure.pinning.map { InspectedUpstream.ConfiguredPins($0) },
            refusal: HeadText.printable(failure.sentence)
        )
    }

    private static func signature(_ method: SignatureMethod?, _ explanation: SigningExplanation) -> InspectedSignature {
        let parameters = explanation.parameters.filter { method != .plaintext || $0.origin == .protocol }
        var isCut = parameters.count > mostParameters
        let shown = parameters.prefix(mostParameters).map { parameter in
            let name = PercentEncoding.decodeText(parameter.name.utf8) ?? parameter.name
            return InspectedSignature.Parameter(
                name: cut(Redaction.name(parameter.name), to: 256, &isCut),
                value: cut(Redaction.value(parameter.value, of: name), to: 1024, &isCut),
                origin: parameter.origin.rawValue
            )
        }
        return InspectedSignature(
            method: method?.rawValue ?? "",
            baseStringURI: method == .plaintext ? nil : HeadText.printable(Redaction.target(explanation.baseStringURI)),
            parameters: shown,
            parametersLeftOut: parameters.count - shown.count,
            isCut: isCut,
            authorization: explanation.authorization.isEmpty ? "" : Redaction.authorization(explanation.authorization)
        )
    }

    private static func cut(_ text: String, to limit: Int, _ isCut: inout Bool) -> String {
        guard text.utf8.count > limit else { return text }
        isCut = true
        return "\(text.prefix(limit))…"
    }

    /// The signature base string with what may be secret left out of it; nil when the request was not signed, or by
    /// PLAINTEXT, which has none.
    ///
    /// - Parameter method: That of the request.
    func baseString(method: String) -> String? {
        guard let signature, let uri = signature.baseStringURI else { return nil }
        func encode(_ text: String) -> String {
            text == Redaction.mark ? text : String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self)
        }
        let parameters = signature.parameters.map { "\(encode($0.name))%3D\(encode($0.value))" }
        return "\(method)&\(encode(uri))&\(parameters.joined(separator: "%26"))"
    }

    /// Adds what it has to what is shown.
    func complete(_ request: inout InspectedRequest) {
        request.sent = head
        request.response = response
        request.signature = signature
        request.upstream = upstream
    }
}
