import Bytes
import Credentials
import HTTP1Codec
import Inspection
import NIOCore
import OAuthSigning
import UpstreamTrust

/// The part that the inspector shows of a request as it was last sent: taken down when it is, since its body is given up
/// soon after.
struct RequestInspection {
    /// The number of a base string's parameters that are shown.
    private static let mostParameters = 256

    /// The lines of the head that was sent, without what may be secret.
    let sent: [String]
    /// The lines of the head of the last response to it, without what may be secret; empty while there is none.
    var response: [String] = []
    private let signature: InspectedSignature?
    private let upstream: InspectedUpstream

    /// - Parameters:
    ///   - outgoing: The head that was written.
    ///   - fields: The field lines that were appended to it.
    ///   - explanation: Of the signature; nil when none was added.
    init(
        _ head: RequestHead,
        as outgoing: OutgoingRequest,
        fields: ByteBuffer,
        signature method: SignatureMethod?,
        _ explanation: SigningExplanation?,
        on stream: any UpstreamStream,
        chain: [InspectedUpstream.Certificate],
        pins: InspectedUpstream.Pins?
    ) {
        var (fields, bytes) = (fields, ByteBuffer())
        outgoing.write(head, fields: &fields, into: &bytes)
        sent = Self.lines(of: bytes)
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
        sent = []
        signature = nil
        upstream = InspectedUpstream(
            address: nil,
            version: nil,
            chain: failure.presented.map { InspectedUpstream.Certificate($0, pinning: failure.pinning) },
            pins: failure.pinning.map { InspectedUpstream.Pins($0) },
            refusal: Self.printable(failure.sentence)
        )
    }

    private static func signature(_ method: SignatureMethod?, _ explanation: SigningExplanation) -> InspectedSignature {
        let parameters = explanation.parameters.filter { method != .plaintext || $0.origin == .protocol }
        var isCut = parameters.count > mostParameters
        let shown = parameters.prefix(mostParameters).map { parameter in
            let name = PercentEncoding.decodeText(parameter.name.utf8) ?? parameter.name
            return InspectedSignature.Parameter(
                name: cut(parameter.name, to: 256, &isCut),
                value: cut(Redaction.value(parameter.value, of: name), to: 1024, &isCut),
                origin: parameter.origin.rawValue
            )
        }
        return InspectedSignature(
            method: method?.rawValue ?? "",
            baseStringURI: method == .plaintext ? nil : printable(Redaction.target(explanation.baseStringURI)),
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

    /// Returns a head as it is shown: a line for each of its own, without what may be secret.
    static func lines(of head: ByteBuffer) -> [String] {
        let text = String(decoding: head.readableBytesView.prefix(16 * 1024), as: UTF8.self)
        return text.split(separator: "\r\n").prefix(128).enumerated().map { index, line in
            if index == 0 { return requestLine(line) }
            guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return printable(String(line)) }
            let value = line[line.unicodeScalars.index(after: colon)...].drop { $0 == " " }
            return printable("\(line[..<colon]): \(Redaction.field(String(line[..<colon]), String(value)))")
        }
    }

    /// Names of fields of responses whose values are shown, in lower case.
    private static let shownFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "date", "vary",
        "cache-control", "upgrade", "via", "proxy-status",
    ]

    /// Returns the head of a response as it is shown. A server may repeat what it was sent in any field, and in its
    /// reason phrase: of most fields there is the name alone.
    ///
    /// - Parameter scrubber: Finds what may be a secret of the request; nil: not all of that is known.
    static func responseLines(of head: ByteBuffer, _ scrubber: Scrubber?) -> [String] {
        let text = String(decoding: head.readableBytesView.prefix(16 * 1024), as: UTF8.self)
        return text.split(separator: "\r\n").prefix(128).enumerated().map { index, line in
            if index == 0 { return printable(line.split(separator: " ").prefix(2).joined(separator: " ")) }
            let name = line.prefix { $0 != ":" }
            let isShown = shownFields.contains(name.lowercased()) && scrubber?.finds(in: String(line)) == false
            return printable(isShown ? String(line) : "\(name): \(Redaction.mark)")
        }
    }

    private static func requestLine(_ line: Substring) -> String {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return printable(String(line)) }
        let target = words[1].prefix { $0 != " " }
        return printable("\(words[0]) \(Redaction.target(String(target)))\(words[1][target.endIndex...])")
    }

    static func printable(_ text: String) -> String {
        PrintableText(text, limit: 2048, escapesQuotes: false).description
    }

    /// The signature base string with what may be secret left out of it; nil when the request was not signed, or by
    /// PLAINTEXT, which has none.
    ///
    /// - Parameter method: That of the request.
    func baseString(method: String) -> String? {
        guard let signature, let uri = signature.baseStringURI else { return nil }
        func encode(_ text: String) -> String { String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self) }
        let parameters = signature.parameters.map { parameter in
            let value = parameter.value == Redaction.mark ? Redaction.mark : encode(parameter.value)
            return "\(encode(parameter.name))%3D\(value)"
        }
        return "\(method)&\(encode(uri))&\(parameters.joined(separator: "%26"))"
    }

    /// Adds what it has to what is shown.
    func complete(_ request: inout InspectedRequest) {
        request.sent = sent
        request.response = response
        request.signature = signature
        request.upstream = upstream
    }
}

extension InspectedTimes {
    init(_ record: ExchangeRecord, end: NIODeadline) {
        self.init(total: (end - record.start).microseconds)
        token = record.tokenWait?.microseconds
        connection = record.connectionWait?.microseconds
        name = record.connectTimes?.name?.microseconds
        tcp = record.connectTimes?.tcp?.microseconds
        tls = record.connectTimes?.tls?.microseconds
        firstByte = record.firstByte?.microseconds
    }
}

extension InspectedRequest {
    /// - Parameters:
    ///   - head: The client's; nil when none could be read.
    ///   - time: The time at which the head had come.
    init(_ summary: RequestSummary, head: RequestHead?, time: String) {
        let target = summary.target.map { String(decoding: $0.readableBytesView.prefix(2048), as: UTF8.self) } ?? ""
        let path = target.prefix { $0 != "?" }
        self.init(
            time: time,
            method: RequestInspection.printable(String(buffer: summary.method)),
            authority: RequestInspection.printable(summary.authority),
            path: RequestInspection.printable(Redaction.path(path)),
            requestBytes: summary.record.requestBytes,
            responseBytes: summary.record.responseBytes,
            times: InspectedTimes(summary.record, end: summary.end)
        )
        if path.endIndex < target.endIndex {
            query = RequestInspection.printable(Redaction.query(String(target[path.endIndex...].dropFirst())))
        }
        id = summary.record.number ?? 0
        begun = summary.record.begun
        scheme = (summary.scheme ?? head?.targetScheme)?.rawValue
        client = summary.client.map(RequestInspection.printable)
        address = summary.address.map { "\($0)" }
        api = summary.api
        account = summary.account.map(RequestInspection.printable)
        status = summary.record.status
        error = summary.record.error?.rawValue
        details = summary.record.details.map(RequestInspection.printable)
        outcome = summary.outcome
        isReused = summary.record.isReused
        repeats = summary.record.repeats.map(\.rawValue)
        traceID = summary.traceID
        received = head.map { RequestInspection.lines(of: $0.bytes) } ?? []
    }
}

extension RequestHead {
    /// The scheme that the request-target names.
    fileprivate var targetScheme: URIScheme? {
        guard targetForm == .absolute else { return nil }
        let text = String(decoding: target.readableBytesView.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return URIScheme(rawValue: text.lowercased())
    }
}

extension TimeAmount {
    fileprivate var microseconds: Int { Int(nanoseconds / 1000) }
}
