import Bytes
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings

/// The log lines about a request while it is served: at `debug` the decisions and actions, at `trace` the heads of both
/// sides as well. All lines of a request, that of the access log among them, have the same number.
extension ExchangeContext {
    /// Tells what was decided upon a request.
    func tellReceived(_ exchange: Exchange) {
        let number = journal.newNumber()
        exchange.record.number = number
        let route = exchange.route
        let target = String(decoding: exchange.head.target.readableBytesView.prefix(2048), as: UTF8.self)
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number),
            "method": "\(String(buffer: exchange.head.methodBytes))",
            "target": "\(HeadText.printable(Redaction.target(target)))",
            "authority": "\(route.authority.fieldValue(defaultPort: route.scheme.defaultPort))",
            "route": "\(route.reason)",
        ]
        if let account = route.accountReference {
            metadata["api"] = "\(apis[account.api].settings.name)"
            metadata["account"] = "\(apis[account.api].name(of: account))"
            metadata["account_by"] = "\(route.accountReason(exchange.head))"
        }
        if let client = route.clientName { metadata["client"] = "\(client)" }
        if let address = exchange.client.address { metadata["address"] = "\(address.urlText)" }
        logger.debug("request received", metadata: metadata)
        if tellsHeads {
            let lines = HeadText.lines(of: exchange.head, hiding: exchange.route.tokenField(apis))
            tellHead(lines, "request head of the client", of: exchange)
        }
    }

    /// Takes down what is shown of a request as it is sent, and tells of it.
    ///
    /// - Parameter head: That which is sent, but for what `outgoing` changes.
    func show(_ outgoing: OutgoingRequest, of head: RequestHead, by exchange: Exchange, on stream: any UpstreamStream) {
        let (route, authorization) = (exchange.route, exchange.authorization)
        let sent = SentRequest(
            head,
            as: outgoing,
            fields: scratch.fields,
            signature: authorization.signatureMethod,
            authorization.explanation(head, on: route, body: exchange.held.body.collected),
            on: stream,
            chain: tls(of: route)?.describe(stream.verdict?.presentedDER ?? [], of: route.authority) ?? [],
            pins: tls(of: route)?.pins(of: route.authority)
        )
        exchange.record.sent = sent
        if tellsDecisions { tellSent(exchange, sent, on: stream) }
    }

    private func tellSent(_ exchange: Exchange, _ sent: SentRequest, on stream: any UpstreamStream) {
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(exchange.record.number ?? 0),
            "connection": stream.isReused ? "reused" : "new",
            "protocol": "\(stream.version)",
        ]
        if let address = stream.address { metadata["upstream"] = "\(address.urlText)" }
        if let ready = exchange.authorization.ready {
            let source = exchange.authorization.arrival == .ofOthersExchange ? "waited" : ready.source.rawValue
            metadata["token"] = "\(ready.token == nil ? "none: the client's credentials alone" : source)"
            metadata["token_cached"] = .stringConvertible(exchange.authorization.arrival == .atHand)
        }
        if let method = exchange.authorization.signatureMethod { metadata["signature_method"] = "\(method.rawValue)" }
        if let text = sent.baseString(method: String(buffer: exchange.head.methodBytes).uppercased()) {
            metadata["base_string"] = "\(text)"
        }
        logger.debug("request sent", metadata: metadata)
        if tellsHeads { tellHead(sent.head, "request head to the upstream", of: exchange) }
    }

    /// Tells that a request is sent again.
    func tellRepeat(of exchange: Exchange, because cause: ExchangeStateMachine.RepeatCause) {
        logger.debug(
            "request is sent again",
            metadata: ["request": .stringConvertible(exchange.record.number ?? 0), "cause": "\(cause.rawValue)"]
        )
    }

    /// Tells of the head of a response, without what may be secret in it.
    func tellHead(_ response: ResponseHead, of exchange: Exchange) {
        let lines = HeadText.lines(of: response, exchange.secrets.scrubber())
        tellHead(lines, "response head of the upstream", of: exchange)
    }

    /// Tells of the head of a response as it goes to the client, likewise.
    ///
    /// - Parameters:
    ///   - dropped: Fields of the head that are not sent.
    ///   - fields: Those that are appended to it.
    func tellHead(
        _ response: ResponseHead,
        dropping dropped: KnownFieldSet,
        appending fields: AppendedFields,
        of exchange: Exchange
    ) {
        let scrubber = exchange.secrets.scrubber()
        let lines = HeadText.lines(of: response, dropping: dropped, appending: fields, scrubber)
        tellHead(lines, "response head to the client", of: exchange)
    }

    private func tellHead(_ lines: [String], _ name: String, of exchange: Exchange) {
        logger.trace(
            "\(name)",
            metadata: [
                "request": .stringConvertible(exchange.record.number ?? 0), "head": .array(lines.map { .string($0) }),
            ]
        )
    }
}

extension RequestRoute {
    /// The reason why a request goes where it goes, in words.
    fileprivate var reason: String {
        guard api != nil else { return "no API has this host: it is sent on as it came" }
        return gateway == nil ? "the host is one of the API's" : "it came to the API's gateway"
    }

    /// The reason why a request is authorized as an account, in words.
    fileprivate func accountReason(_ head: RequestHead) -> String {
        if head.fields.contains(.paraphAccount) { return "the Paraph-Account field" }
        return account?.name == Account.defaultName
            ? "nothing named another one" : "the user name of the log-in, or what the proxy was started for"
    }
}
