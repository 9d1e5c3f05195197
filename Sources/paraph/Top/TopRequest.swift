/// One request of the admin listener's list, as far as `paraph top` shows it.
struct TopRequest: Decodable, Sendable {
    /// The part of a request that is known once it has ended.
    struct Completion: Decodable, Sendable {
        let id: Int
        /// Counts the requests that the proxy has recorded.
        let sequence: Int
        let status: Int?
        let error: String?
        let cause: String?
        let details: String?
        let outcome: String?
        let times: Times
        let repeats: [String]
        let responseBytes: Int
        /// The number that it had while it was in flight; nil: nobody looked on then.
        let begun: Int?

        enum CodingKeys: String, CodingKey {
            case id, sequence, status, error, cause, details, outcome, times, repeats, begun
            case responseBytes = "response_bytes"
        }
    }

    struct Times: Decodable, Sendable {
        let total: Int
        /// The time until it stood as a tunnel; nil: it became none.
        let established: Int?

        enum CodingKeys: String, CodingKey {
            case total = "total_us"
            case established = "established_us"
        }

        /// The time that its client waited: a tunnel lasts as long as its client likes.
        var waited: Int { established ?? total }
    }

    let head: TopRequestHead
    let completion: Completion

    /// The members of both are those of one object.
    init(from decoder: any Decoder) throws {
        head = try TopRequestHead(from: decoder)
        completion = try Completion(from: decoder)
    }

    /// The reason why it did not go as it should; nil where it did.
    var problem: String? {
        completion.error.map { [$0, completion.cause].compactMap(\.self).joined(separator: " ") } ?? completion.outcome
    }

    /// Returns whether it has all these words; a word behind a minus sign must not be in it.
    func matches(_ filter: String) -> Bool {
        let texts = [
            completion.status.map { "\($0)" }, completion.error, completion.cause, completion.details,
            completion.outcome,
        ]
        return head.matches(filter, with: texts.compactMap(\.self) + completion.repeats)
    }

    /// The columns of one line, the last one with what went wrong.
    var columns: [String] {
        let again = completion.repeats.isEmpty ? "" : "  (sent again: \(completion.repeats.joined(separator: ", ")))"
        return head.columns(
            status: completion.status.map { "\($0)" } ?? "-",
            microseconds: completion.times.total,
            remark: (problem.map { "  \($0)" } ?? "") + again
        )
    }
}
