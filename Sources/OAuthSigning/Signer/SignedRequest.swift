/// The parts that must be sent instead of what the client sent; nil means: as it was.
package struct SignedRequest: Equatable, Sendable {
    /// The value of the `Authorization` field, for the placement in the header.
    package var authorization: [UInt8]?
    /// The origin-form request-target with the protocol parameters, for the placement in the query.
    package var target: [UInt8]?
    /// The form with the protocol parameters, for the placement in the body.
    package var body: [UInt8]?

    package init(authorization: [UInt8]? = nil, target: [UInt8]? = nil, body: [UInt8]? = nil) {
        self.authorization = authorization
        self.target = target
        self.body = body
    }
}
