package import Settings

/// The report of one server of etcd on itself.
package struct EtcdServerReport: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        /// - Parameters:
        ///   - version: The server's version; nil: it does not tell.
        ///   - hasLeader: Indicates whether it is one of enough servers that reach each other.
        ///   - faults: The faults that it finds, such as that there is no room left.
        case answers(version: String?, hasLeader: Bool, faults: [String])
        /// - Parameter reason: The reason why nothing of it is known.
        case fails(reason: String)
        /// It answers, and does not tell.
        /// - Parameter reason: etcd's words.
        case refuses(reason: String)
    }

    package let endpoint: EtcdEndpoint
    package let answer: Answer

    package init(endpoint: EtcdEndpoint, answer: Answer) {
        self.endpoint = endpoint
        self.answer = answer
    }
}
