import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings
import UpstreamTrust

// MARK: - What is noted of an exchange, and told of it

extension Exchange {
    /// Tells the log and whoever looks on that the request has begun.
    func tellBegun() {
        if context.decisions.tellsDecisions {
            record.number = context.decisions.tellReceived(head, on: route, from: client.address)
        }
        guard context.reporter.isRecording else { return }
        record.begun = context.reporter.began(summary(end: context.clock.now, outcome: nil))
    }

    /// Notes that a wait for a token is over.
    func waitedForToken(since begin: NIODeadline) {
        let time = context.clock.now - begin
        record.waitedForToken(time, since: begin)
        context.meter.tookToken(route, time)
    }

    /// Counts the exchange, which is over, and tells of it. Called once.
    ///
    /// - Parameter outcome: How it ended where the status does not tell.
    func tellEnded(outcome: String?) {
        let end = context.clock.now
        context.meter.ended(record.end(at: end), head.method, api: route.api?.index)
        if context.reporter.tellsEnds { context.reporter.tell(summary(end: end, outcome: outcome), head) }
        admission?.end()
        context.exchangeEnded()
    }

    /// Counts the exchange, which has become a tunnel and is no request any more. Called in place of the other.
    func tellSwitched() {
        context.meter.ended(record.end(at: context.clock.now), head.method, api: route.api?.index)
        context.exchangeEnded()
    }

    /// Returns all that is told of the exchange.
    func summary(end: NIODeadline, outcome: String?) -> RequestSummary {
        let api = route.accountReference.map { context.apis[$0.api] }
        return RequestSummary(
            record: record,
            end: end,
            method: head.methodBytes,
            authority: route.authority.description,
            scheme: route.scheme,
            target: route.requestTarget,
            api: api?.settings.name,
            account: route.accountReference.flatMap { api?.name(of: $0) },
            client: route.clientName,
            address: client.address.flatMap { IPAddress($0) },
            version: head.version,
            traceParent: head.traceParent,
            traceState: head.traceState,
            traced: traced,
            outcome: outcome
        )
    }

    private var traced: TracedRequest? {
        guard context.reporter.isTracing else { return nil }
        let scheme = route.gateway == nil ? head.namedScheme ?? .https : .http
        return context.reporter.traced(scheme: scheme, upstream: route.scheme)
    }

    // MARK: Heads

    /// Takes down what is shown of the request as it is sent, and tells of it.
    ///
    /// - Parameter head: That which is sent, but for what `outgoing` changes.
    func show(_ outgoing: OutgoingRequest, of head: RequestHead, on stream: any UpstreamStream) {
        let tls = route.api.flatMap { context.apis[$0.index].tls }
        let sent = SentRequest(
            head,
            as: outgoing,
            fields: context.scratch.fields,
            signature: authorization.signatureMethod,
            authorization.explanation(head, on: route, body: held.body.collected),
            on: stream,
            chain: tls?.describe(stream.verdict?.presentedDER ?? [], of: route.authority) ?? [],
            pins: tls?.pins(of: route.authority)
        )
        record.sent = sent
        guard context.decisions.tellsDecisions else { return }
        context.decisions.tellSent(sent, head.methodBytes, authorization, on: stream, number: record.number)
    }

    /// Indicates whether the log has the heads of the request and of its responses.
    var tellsHeads: Bool { context.decisions.tellsHeads }

    /// Tells of the head of a response.
    func tellHead(_ response: ResponseHead) {
        context.decisions.tellHead(response, secrets.scrubber(), number: record.number)
    }

    /// Tells of the head of a response as it goes to the client.
    ///
    /// - Parameters:
    ///   - dropped: Fields of the head that are not sent.
    ///   - fields: Those that are appended to it.
    func tellHead(_ response: ResponseHead, dropping dropped: KnownFieldSet, appending fields: AppendedFields) {
        let scrubber = secrets.scrubber()
        context.decisions.tellHead(
            response,
            dropping: dropped,
            appending: fields,
            scrubber,
            number: record.number
        )
    }
}
