import OAuthSigning
import ProviderSimulator

extension Story {
    func writeSignature(to page: inout Page) {
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

    /// As the provider made it from the bytes that it received.
    private var baseString: String? {
        switch arrival?.outcome {
        case .refused(.verification(.signatureInvalid(let baseString))): baseString
        default: arrival?.verified?.baseString
        }
    }
}
