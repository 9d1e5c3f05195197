/// The question to a server how it is.
struct EtcdServerStatus: EtcdRequest {
    static let path = "/v3/maintenance/status"

    struct Response: Decodable, Sendable {
        let version: String?
        /// The number of the server that all follow, of 64 bits without a sign; nil: there is none.
        private let leader: String?
        /// Words on what is wrong, such as an alarm about the room that is left.
        let errors: [String]?

        var hasLeader: Bool { leader.map { $0 != "0" } ?? false }
    }
}
