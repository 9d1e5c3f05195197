/// The last failure of a host of an API, as long as no later request has succeeded there.
package struct UpstreamTrouble: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case certificateRefused = "certificate_refused"
        /// The certificate fails the pins, and is used all the same (`on_failure: report`).
        case pinsReported = "pins_reported"
        case nameNotFound = "name_not_found"
        /// No connection came about.
        case unreachable
        /// TLS failed, for another reason than the certificate.
        case tlsFailed = "tls_failed"
        /// A connection came about, and a response did not.
        case noResponse = "no_response"
    }

    package var kind: Kind
    /// `HOST:PORT`.
    package var authority: String
    /// Whole seconds since 1970-01-01T00:00:00Z, by this machine's clock.
    package var time: Int64
    /// A sentence for a person: what failed, and what to do.
    package var sentence: String

    package init(_ kind: Kind, at authority: String, time: Int64, _ sentence: String) {
        self.kind = kind
        self.authority = authority
        self.time = time
        self.sentence = sentence
    }
}
