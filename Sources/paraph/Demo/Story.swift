import ForwardProxy
import OAuthSigning
import ProviderSimulator
import UpstreamTrust

/// The story of one request. The provider's ledger and the client's own words are its only sources.
struct Story: DemoText {
    let setup: DemoSetup
    let entrance: DemoEntrance
    let providerAddress: String
    let transcript: ClientTranscript
    let events: [ProviderEvent]

    /// The demo's request as the provider received it; nil when it never did.
    var arrival: ProviderEvent? {
        events.first { !$0.endpoint.isExchange && $0.request.target == DemoRequest.target }
    }

    var isVerified: Bool { arrival?.verified != nil }

    func write(to page: inout Page) {
        writeCast(to: &page)
        writeClient(to: &page)
        writeExchange(to: &page)
        writeSignature(to: &page)
        writeVerification(to: &page)
        writeResponse(to: &page)
        if isVerified {
            page.verdict("Verified: the client sent it unsigned, and the provider accepts its signature.", isGood: true)
        } else {
            page.verdict("Not verified: the provider has not accepted a signature of this request.", isGood: false)
        }
    }

    private func writeCast(to page: inout Page) {
        let client = transcript.command.isEmpty ? "client" : "curl"
        let arrow = "  ==TLS==>  "
        let proxyAddress = entrance.proxyAddress.urlText
        let names = pad("paraph", as: proxyAddress) + arrow + DemoRequest.host
        let addresses = pad(proxyAddress, as: "paraph") + pad("", as: arrow) + providerAddress
        page.blank()
        page.line(client + arrow + names)
        page.line(pad("", as: client + arrow) + addresses + ", an OAuth 1.0a provider")
        page.blank()
        page.line("A client sends a request unsigned, paraph adds the OAuth 1.0a signature on the way, and the")
        page.line("provider verifies it. All of it runs on this machine, with keys made for this one run.")
    }

    private func pad(_ text: String, as other: String) -> String {
        text + String(repeating: " ", count: max(0, other.count - text.count))
    }
}

extension Story {
    private func writeResponse(to page: inout Page) {
        page.title("5. What the client got")
        if let failure = transcript.failure { page.line(failure) }
        // The answer to CONNECT goes without saying where another came after it.
        guard let head = transcript.received.last else { return page.line("Nothing.") }
        page.transcript(head, mark: "<")
        if !transcript.receivedBody.isEmpty {
            page.blank()
            for line in transcript.receivedBody.split(whereSeparator: \.isNewline) { page.line(String(line)) }
        }
    }
}

extension Story {
    private func writeClient(to page: inout Page) {
        page.title("1. What the client sent: a request without a signature")
        page.line("It knows HTTPS_PROXY and trusts the proxy's CA. It has no OAuth key, secret or token.")
        page.blank()
        if !transcript.command.isEmpty {
            for (number, line) in transcript.command.enumerated() {
                page.transcript([line], mark: number == 0 ? "$" : " ")
            }
            page.blank()
        }
        if let remark = transcript.remark {
            page.line(remark)
            page.blank()
        }
        for (number, head) in transcript.sent.enumerated() {
            if number > 0 { page.transcript([""], mark: ">") }
            page.transcript(head, mark: ">")
        }
        if !transcript.sentBody.isEmpty { page.transcript(["", transcript.sentBody], mark: ">") }
        if let issuer = transcript.certificateIssuer {
            page.blank()
            page.line("The certificate that it was shown for \(DemoRequest.host) was made on the fly, issued by")
            page.line("\(issuer).")
        }
    }
}

extension Story {
    private func writeVerification(to page: inout Page) {
        page.title("4. What the provider verified")
        guard let arrival else { return page.line("Nothing: the request did not arrive.") }
        switch arrival.outcome {
        case .resourceServed(let verified, let user):
            page.entry("signature", "right: \(verified.signatureMethod.rawValue), recomputed from the bytes received")
            page.entry("consumer key", "\(verified.consumerKey), the application's")
            page.entry("token", (verified.token ?? "none") + (isFresh(verified) ? ", issued in step 2" : ""))
            page.entry("user", user.map { "\($0.screenName), id \($0.id)" } ?? "none")
            page.entry("time", "timestamp \(verified["oauth_timestamp"] ?? "none"), within five minutes of its clock")
            page.entry("nonce", "\(verified["oauth_nonce"] ?? "none"), not seen before")
        case .refused(let refusal):
            page.entry("refused", refusal.description)
        default: break
        }
        let version = arrival.request.tlsVersion ?? "no TLS"
        page.entry(
            "upstream TLS",
            "\(version). Before it sent anything, paraph had validated the chain up to the",
            "demo's root, the name \(DemoRequest.host), and the pin of the leaf's public key:",
            setup.pin.text
        )
    }

    private func isFresh(_ verified: VerifiedRequest) -> Bool {
        events.contains { event in
            guard case .accessTokenGranted(_, let issued, _) = event.outcome else { return false }
            return issued.credentials.token == verified.token
        }
    }
}

extension Story {
    private func writeSignature(to page: inout Page) {
        page.title("3. What was signed")
        guard let arrival else { return page.line("Nothing: the request never left paraph.") }
        page.line("The signature base string (RFC 5849, section 3.4.1) is these three parts, joined by \"&\":")
        page.blank()
        if let baseString {
            let parts = BaseStringParts(baseString)
            page.entry("method", parts.method)
            page.entry("URI", parts.uri)
            page.entry("parameters", lines: parts.parameters)
            page.blank()
            page.line("Its HMAC-SHA1, under the secrets of application and token, became oauth_signature in the field")
            page.line("that paraph added (one line, broken here for reading):")
        } else {
            page.line("(The provider did not come so far as to make it.)")
        }
        page.blank()
        for value in arrival.request.values(of: "authorization") {
            page.line("Authorization: OAuth")
            let parameters = value.dropFirst("OAuth ".count).split(separator: ", ", omittingEmptySubsequences: false)
            for (number, parameter) in parameters.enumerated() {
                page.line("    \(parameter)" + (number < parameters.count - 1 ? "," : ""))
            }
        }
    }

    /// The base string as the provider made it from the bytes that it received.
    private var baseString: String? {
        switch arrival?.outcome {
        case .refused(.verification(.signatureInvalid(let baseString))): baseString
        default: arrival?.verified?.baseString
        }
    }
}

/// A signature base string (RFC 5849, section 3.4.1) taken apart for reading: put together, the parts are it again.
struct BaseStringParts {
    let method: String
    let uri: String
    /// Each but the first begins with the `&` that separates it from the one before, encoded.
    let parameters: [String]

    init(_ baseString: String) {
        let parts = baseString.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        method = parts[0]
        uri = parts.count > 1 ? parts[1] : ""
        // An ampersand inside of a value is `%2526` here.
        let pairs = parts.count > 2 ? parts[2].split(separator: "%26", omittingEmptySubsequences: false) : []
        parameters = pairs.enumerated().map { $0 == 0 ? String($1) : "%26" + $1 }
    }
}

extension Story {
    private func writeExchange(to page: inout Page) {
        page.title("2. The exchange: paraph had no token for this account, so it fetched one (reverse auth)")
        let steps = events.filter(\.endpoint.isExchange)
        if steps.isEmpty { page.line("The provider was not asked for a token.") }
        for (number, event) in steps.enumerated() {
            if number > 0 { page.blank() }
            write(event, to: &page)
        }
        if case .accessTokenGranted? = steps.last?.outcome {
            page.blank()
            page.line("paraph keeps the token sealed in its vault: later requests need no exchange.")
        }
    }

    private func write(_ event: ProviderEvent, to page: inout Page) {
        let name = event.endpoint == .requestToken ? "Step 1" : "Step 2"
        page.entry(name, "\(event.request.method) https://\(event.request.authority)\(event.request.target)")
        page.entry("  asked", lines: event.request.form.pairs.map { "\($0.name)=\(shown($0.value))" })
        if let verified = event.verified {
            let token = verified.token.map { ", token \($0)" } ?? ", no token"
            page.entry("  signed by", "\(role(of: verified.consumerKey)): consumer key \(verified.consumerKey)\(token)")
        }
        if let answer = event.answer {
            page.entry("  answered", lines: ["\(answer.status)"] + lines(of: answer, to: event))
        } else {
            page.entry("  answered", "not at all")
        }
    }

    private func role(of consumerKey: String) -> String {
        consumerKey == setup.application.consumerKey ? "the application" : "a platform account"
    }

    /// Step 1's text comes back in step 2; it need not be read twice.
    private func shown(_ value: String) -> String {
        let isText = events.contains { event in
            event.endpoint == .requestToken && event.answer?.body.elementsEqual(value.utf8) == true
        }
        return isText ? "(step 1's answer, byte for byte)" : value
    }

    private func lines(of answer: SimulatedAnswer, to event: ProviderEvent) -> [String] {
        let text = String(decoding: answer.body, as: UTF8.self)
        switch event.outcome {
        case .requestTokenGranted:
            let pairs = text.split(separator: ", ")
            return pairs.enumerated().map { ($0 == 0 ? "" : "      ") + $1 + ($0 < pairs.count - 1 ? "," : "") }
        case .accessTokenGranted:
            return FormPairs(answer.body).pairs.map { name, value in
                name == "oauth_token_secret" ? "\(name)=\(value.prefix(4))...  (shortened)" : "\(name)=\(value)"
            }
        case .refused(let refusal): return [text, "\(refusal)"]
        default: return [text]
        }
    }
}
