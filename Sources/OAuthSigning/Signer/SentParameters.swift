/// The protocol parameters that every request of an account carries, as they are sent.
struct SentParameters: Sendable {
    let parameters: [SentParameter]
    /// All that is sent with a request that has no further parameters.
    let template: SentTemplate

    init(_ parameters: [SentParameter], _ options: SigningOptions, opening: [UInt8]) {
        self.parameters = parameters
        template =
            switch options.placement {
            case .header: SentTemplate(.header, opening: opening, parameters: parameters)
            case .query, .body: SentTemplate(.form, parameters: parameters)
            }
    }
}
