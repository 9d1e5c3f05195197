import OAuthSigning
import ProviderSimulator

extension Story {
    func writeExchange(to page: inout Page) {
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
        consumerKey == stage.application.consumerKey ? "the application" : "a platform account"
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
