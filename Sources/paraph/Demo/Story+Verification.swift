import OAuthSigning
import ProviderSimulator
import UpstreamTrust

extension Story {
    func writeVerification(to page: inout Page) {
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
            stage.pin.text
        )
    }

    private func isFresh(_ verified: VerifiedRequest) -> Bool {
        events.contains { event in
            guard case .accessTokenGranted(_, let issued, _) = event.outcome else { return false }
            return issued.credentials.token == verified.token
        }
    }
}
