import OAuthSigning

/// Flickr's: a line of text, which for a wrong signature ends with the base string that was expected, as it is.
struct FlickrWording: RefusalWording {
    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        var text = refusal.problemPairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        if case .verification(.signatureInvalid(let baseString)) = refusal { text += "&debug_sbs=\(baseString)" }
        return .text(text, status: 401, contentType: "text/plain;charset=utf-8")
    }
}
