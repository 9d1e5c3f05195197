import Bytes
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import Routing
import Settings

/// The log lines, at `debug`, about requests that do not become exchanges.
extension ExchangeContext {
    /// Tells that a request was refused, and gives its lines a number.
    func tellRefused(_ summary: inout RequestSummary) {
        guard tellsDecisions else { return }
        let number = journal.newNumber()
        summary.record.number = number
        var metadata: Logger.Metadata = [
            "request": .stringConvertible(number), "route": "none: the request is refused",
        ]
        let (method, authority) = (String(buffer: summary.method), String(summary.shownAuthority))
        if !method.isEmpty { metadata["method"] = "\(HeadText.printable(method))" }
        if !authority.isEmpty { metadata["authority"] = "\(HeadText.printable(authority))" }
        if let details = summary.record.details { metadata["details"] = "\(details)" }
        if let address = summary.address { metadata["address"] = "\(address)" }
        logger.debug("request received", metadata: metadata)
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

extension RequestHead {
    /// Returns the authority that the request names, as far as it can be read, with its port; and the scheme, whose
    /// default port need not be shown: nil for a tunnel.
    ///
    /// - Parameter connection: The scheme of its connection, which a target in origin-form does not name.
    func namedAuthority(within connection: URIScheme = .https) -> (text: String, scheme: URIScheme?) {
        var text: Substring
        var scheme: URIScheme?
        switch targetForm {
        case .authority: text = Substring(String(buffer: target))
        case .absolute:
            let target = String(buffer: target)
            scheme = target.prefix { $0 != ":" }.lowercased().hasSuffix("s") ? .https : .http
            text = target.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        case .origin, .asterisk:
            scheme = connection
            text = Substring(fields.string(of: .host) ?? "-")
        }
        // Without a user's name and password.
        text = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
        guard let authority = try? Authority(parsing: String(text), defaultPort: scheme?.defaultPort ?? 443) else {
            return (text.prefix(255).lowercased(), nil)
        }
        return (authority.description, scheme)
    }
}
