import Bytes

/// The times of one request, in microseconds; nil where there was nothing of the kind.
package struct InspectedTimes: Sendable, Equatable {
    /// The time from the head of the request to the end of the response, or of the tunnel.
    package var total: Int
    /// The wait for tokens.
    package var token: Int?
    /// The wait for a connection, new or with room.
    package var connection: Int?
    /// The phases of making the connection that the request was sent on, where that was made for it.
    package var name: Int?
    package var tcp: Int?
    package var tls: Int?
    /// The time from the head of the request to that of the final response.
    package var firstByte: Int?
    /// The time from the head of the request until it stood as a tunnel.
    package var established: Int?

    package init(total: Int) {
        self.total = total
    }

    var json: JSONText {
        let times = [
            ("total_us", total), ("token_us", token), ("connection_us", connection), ("name_us", name), ("tcp_us", tcp),
            ("tls_us", tls), ("first_byte_us", firstByte), ("established_us", established),
        ]
        return .object(times.map { (key: $0.0, value: .integer($0.1)) })
    }
}
