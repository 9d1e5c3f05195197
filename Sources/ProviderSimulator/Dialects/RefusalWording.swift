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
