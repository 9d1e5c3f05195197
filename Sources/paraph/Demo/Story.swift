import ForwardProxy
import ProviderSimulator

/// The story of one request. The provider's ledger and the client's own words are its only sources.
struct Story: DemoText {
    let stage: DemoStage
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
