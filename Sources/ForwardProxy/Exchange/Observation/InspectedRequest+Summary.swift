import Bytes
import Credentials
import HTTP1Codec
import Inspection
import NIOCore

extension InspectedTimes {
    init(_ record: ExchangeRecord, end: NIODeadline) {
        self.init(total: (end - record.start).microseconds)
        token = record.tokenWait?.microseconds
        connection = record.connectionWait?.microseconds
        name = record.connectTimes?.name?.microseconds
        tcp = record.connectTimes?.tcp?.microseconds
        tls = record.connectTimes?.tls?.microseconds
        firstByte = record.firstByte?.microseconds
        established = record.established?.microseconds
    }
}

extension InspectedRequest {
    /// - Parameters:
    ///   - head: The client's; nil when none could be read.
    ///   - field: The field in which the API takes its tokens, where it is not Authorization.
    ///   - time: The time at which the head had come.
    init(_ summary: RequestSummary, head: RequestHead?, hiding field: TokenField?, time: String) {
        let target = summary.shownTarget
        self.init(
            time: time,
            method: HeadText.shown(String(buffer: summary.method)),
            authority: HeadText.shown(summary.authority),
            path: HeadText.printable(String(decoding: target.path(upTo: HeadText.limit), as: UTF8.self)),
            requestBytes: summary.record.requestBytes,
            responseBytes: summary.record.responseBytes,
            times: InspectedTimes(summary.record, end: summary.end)
        )
        query = target.query(upTo: HeadText.limit).map { HeadText.printable(String($0)) }
        id = summary.record.number ?? 0
        begun = summary.record.begun
        scheme = summary.scheme ?? head?.targetScheme
        client = summary.client.map(HeadText.printable)
        address = summary.address.map { "\($0)" }
        api = summary.api
        account = summary.account.map(HeadText.printable)
        status = summary.record.status
        error = summary.record.error?.rawValue
        cause = summary.record.cause
        details = summary.record.details.map(HeadText.printable)
        outcome = summary.outcome
        isReused = summary.record.isReused
        repeats = summary.record.repeats.map(\.rawValue)
        traceID = summary.traceID
        received = head.map { HeadText.lines(of: $0, hiding: field) } ?? []
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
