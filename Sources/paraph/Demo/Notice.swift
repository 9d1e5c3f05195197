import OAuthSigning
import ProviderSimulator

/// One line for one request that reached the provider.
struct Notice: DemoText {
    let event: ProviderEvent

    func write(to page: inout Page) {
        let request = "\(event.request.method) https://\(event.request.authority)\(event.request.target)"
        page.line("#\(event.number)  \(request)  \(outcome)")
    }

    private var outcome: String {
        switch event.outcome {
        case .resourceServed(let verified, let user):
            "verified: \(verified.signatureMethod.rawValue), user \(user?.screenName ?? "none")"
        case .requestTokenGranted: "verified: step 1 of an exchange"
        case .accessTokenGranted: "verified: step 2 of an exchange"
        case .refused(let refusal): "refused: \(refusal)"
        case .temporaryCredentialsGranted: "verified: temporary credentials"
        case .authorizationAsked: "asks the user"
        case .authorizationApproved(let user): "approved by \(user.screenName)"
        case .authorizationDenied: "denied"
        case .tokenIssued: "granted an access token"
        case .resourceServedToToken(let user): "accepted: user \(user.screenName)"
        case .failureInjected: "failed on purpose"
        }
    }
}
