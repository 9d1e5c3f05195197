import Bytes
import Credentials
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings

/// The log lines about requests beside that of the access log: at `debug` the decisions and actions, at `trace` the heads
/// of both sides as well. All lines of a request, that of the access log among them, have the same number.
final class DecisionLog {
    private let logger: Logger
    private let apis: [APIContext]
    /// Gives requests their numbers.
    private let journal: RequestJournal
    /// Indicates whether the log tells of each request what was decided and done.
    let tellsDecisions: Bool
    /// Indicates whether the log has the heads of each request.
    let tellsHeads: Bool

    /// - Parameter level: That of the log; nil: there is none of requests.
    init(logger: Logger, level: Logger.Level?, apis: [APIContext], journal: RequestJournal) {
        self.logger = logger
        self.apis = apis
        self.journal = journal
        tellsDecisions = level.map { $0 <= .debug } ?? false
        tellsHeads = level.map { $0 <= .trace } ?? false
    }

    // MARK: Requests that become exchanges

    /// Tells what was decided upon a request.
    ///
    /// - Parameter address: The client's; nil when it is not known.
    /// - Returns: The number of its lines.
    func tellReceived(_ head: RequestHead, on route: RequestRoute, from address: SocketAddress?) -> Int {
        let number = journal.newNumber()
        let target = String(decoding: head.target.readableBytesView.prefix(2048), as: UTF8.self)
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number),
            "method": "\(String(buffer: head.methodBytes))",
            "target": "\(HeadText.printable(Redaction.target(target)))",
            "authority": "\(route.authority.fieldValue(defaultPort: route.scheme.defaultPort))",
            "route": "\(route.reason)",
        ]
        if let account = route.accountReference {
            metadata["api"] = "\(apis[account.api].settings.name)"
            metadata["account"] = "\(apis[account.api].name(of: account))"
            metadata["account_by"] = "\(route.accountReason(head))"
        }
        if let client = route.clientName { metadata["client"] = "\(client)" }
        if let address { metadata["address"] = "\(address.urlText)" }
        logger.debug("request received", metadata: metadata)
        if tellsHeads {
            tell(HeadText.lines(of: head, hiding: route.tokenField(apis)), "request head of the client", number)
        }
        return number
    }

    /// Tells that a request is sent.
    ///
    /// - Parameters:
    ///   - method: That of the request.
    ///   - number: The number of its lines.
    func tellSent(
        _ sent: SentRequest,
        _ method: ByteBuffer,
        _ authorization: RequestAuthorization,
        on stream: any UpstreamStream,
        number: Int?
    ) {
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number ?? 0),
            "connection": stream.isReused ? "reused" : "new",
            "protocol": "\(stream.version)",
        ]
        if let address = stream.address { metadata["upstream"] = "\(address.urlText)" }
        if let ready = authorization.ready {
            let source = authorization.arrival == .ofOthersExchange ? "waited" : ready.origin.label
            metadata["token"] = "\(ready.token == nil ? "none: the client's credentials alone" : source)"
            metadata["token_cached"] = .stringConvertible(authorization.arrival == .atHand)
        }
        if let method = authorization.signatureMethod { metadata["signature_method"] = "\(method.rawValue)" }
        if let text = sent.baseString(method: String(buffer: method).uppercased()) {
            metadata["base_string"] = "\(text)"
        }
        logger.debug("request sent", metadata: metadata)
        if tellsHeads { tell(sent.head, "request head to the upstream", number) }
    }

    /// Tells that a request is sent again.
    func tellRepeat(because cause: ExchangeStateMachine.RepeatCause, number: Int?) {
        logger.debug(
            "request is sent again",
            metadata: ["request": .stringConvertible(number ?? 0), "cause": "\(cause.rawValue)"]
        )
    }

    /// Tells of the head of a response, without what may be secret in it.
    func tellHead(_ response: ResponseHead, _ scrubber: Scrubber?, number: Int?) {
        tell(HeadText.lines(of: response, scrubber), "response head of the upstream", number)
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
        _ scrubber: Scrubber?,
        number: Int?
    ) {
        let lines = HeadText.lines(of: response, dropping: dropped, appending: fields, scrubber)
        tell(lines, "response head to the client", number)
    }

    private func tell(_ lines: [String], _ name: String, _ number: Int?) {
        logger.trace(
            "\(name)",
            metadata: ["request": .stringConvertible(number ?? 0), "head": .array(lines.map { .string($0) })]
        )
    }

    // MARK: Requests that do not

    /// Tells that a request was refused.
    ///
    /// - Returns: The number of its lines; nil: nothing is told.
    func tellRefused(_ summary: RequestSummary) -> Int? {
        guard tellsDecisions else { return nil }
        let number = journal.newNumber()
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number), "route": "none: the request is refused",
        ]
        let (method, authority) = (String(buffer: summary.method), String(summary.shownAuthority))
        if !method.isEmpty { metadata["method"] = "\(HeadText.printable(method))" }
        if !authority.isEmpty { metadata["authority"] = "\(HeadText.printable(authority))" }
        if let details = summary.record.details { metadata["details"] = "\(details)" }
        if let address = summary.address { metadata["address"] = "\(address)" }
        logger.debug("request received", metadata: metadata)
        return number
    }

    /// Tells that a tunnel begins.
    ///
    /// - Returns: The number of its lines; nil: nothing is told.
    func tellTunnel(_ summary: RequestSummary) -> Int? {
        guard tellsDecisions else { return nil }
        let number = journal.newNumber()
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number), "method": "CONNECT", "authority": "\(summary.authority)",
            "route": "no API has this host: a tunnel, in which nothing is read",
        ]
        if let client = summary.client { metadata["client"] = "\(client)" }
        if let address = summary.address { metadata["address"] = "\(address)" }
        logger.debug("request received", metadata: metadata)
        return number
    }

    /// Tells that the requests in a tunnel are to be read.
    func tellIntercepted(_ interception: Interception, address: SocketAddress?) {
        guard tellsDecisions else { return }
        var metadata: Logger.Metadata = [
            "method": "CONNECT", "authority": "\(interception.authority)",
            "api": "\(apis[interception.route.index].settings.name)",
            "route": "the host is one of the API's: its requests are read",
        ]
        if let client = interception.client?.name { metadata["client"] = "\(client)" }
        if let address = address?.ipAddress { metadata["address"] = "\(address)" }
        logger.debug("tunnel is intercepted", metadata: metadata)
    }
}

@available(*, unavailable)
extension DecisionLog: Sendable {}

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
