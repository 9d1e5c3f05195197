/// A lease: what is written with it goes away with its end.
enum EtcdLease {
    /// The beginning of a lease. Its number is etcd's choice.
    struct Grant: EtcdRequest {
        static let path = "/v3/lease/grant"

        /// The time to live, in whole seconds.
        let ttl: EtcdNumber

        private enum CodingKeys: String, CodingKey {
            case ttl = "TTL"
        }

        struct Response: Decodable, Sendable {
            let id: EtcdNumber

            private enum CodingKeys: String, CodingKey {
                case id = "ID"
            }
        }
    }

    /// The lease begins anew.
    struct Renewal: EtcdRequest {
        static let path = "/v3/lease/keepalive"

        let id: EtcdNumber

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
        }

        struct Response: Decodable, Sendable {
            private let result: Result?

            private struct Result: Decodable {
                let ttl: EtcdNumber?

                enum CodingKeys: String, CodingKey {
                    case ttl = "TTL"
                }
            }

            /// Indicates whether there was a lease that could be.
            var isAlive: Bool { result?.ttl.map { $0.value > 0 } ?? false }
        }
    }

    /// The end of a lease, and of what was written with it.
    struct Revocation: EtcdRequest {
        static let path = "/v3/lease/revoke"

        let id: EtcdNumber

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
        }

        struct Response: Decodable, Sendable {
            let header: EtcdHeader
        }
    }
}
