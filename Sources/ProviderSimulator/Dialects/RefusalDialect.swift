import OAuthSigning

/// The words in which a request that had to be signed is refused. What had to carry an access token is refused as
/// RFC 6750 or oPRO has it, and a grant of OAuth 2 as RFC 6749 or oPRO has it.
package enum RefusalDialect: Sendable, CaseIterable {
    /// JSON with X's numbers; the token endpoints answer in plain text.
    case x
    case xXML
    case xText
    /// The OAuth Problem Reporting extension, in the body and in the challenge.
    case problemReporting
    case magento
    case mastercard
    case flickr
    case wooCommerce
    case netSuite

    var wording: any RefusalWording {
        switch self {
        case .x: XWording(format: .json)
        case .xXML: XWording(format: .xml)
        case .xText: XWording(format: .text)
        case .problemReporting: ProblemReportingWording()
        case .magento: MagentoWording()
        case .mastercard: MastercardWording()
        case .flickr: FlickrWording()
        case .wooCommerce: WooCommerceWording()
        case .netSuite: NetSuiteWording()
        }
    }
}

/// Words for a refusal of a request that had to be signed.
protocol RefusalWording: Sendable {
    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer
}

extension RefusalWording {
    /// A challenge of the scheme OAuth, with what the Problem Reporting extension adds to it.
    func challenge(_ refusal: ProviderRefusal, realm: String) -> (name: String, value: String) {
        let pairs = [("realm", realm)] + refusal.problemPairs
        return ("WWW-Authenticate", "OAuth " + pairs.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", "))
    }
}

/// The OAuth Problem Reporting extension, with its parameters in the body and in the challenge.
struct ProblemReportingWording: RefusalWording {
    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        .form(
            refusal.problemPairs + [("oauth_problem_advice", refusal.description)],
            status: refusal.problemStatus,
            contentType: "application/x-www-form-urlencoded",
            fields: [challenge(refusal, realm: realm)]
        )
    }
}

/// Flickr's: a line of text, which for a wrong signature ends with the base string that was expected, as it is.
struct FlickrWording: RefusalWording {
    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        var text = refusal.problemPairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        if case .verification(.signatureInvalid(let baseString)) = refusal { text += "&debug_sbs=\(baseString)" }
        return .text(text, status: 401, contentType: "text/plain;charset=utf-8")
    }
}
