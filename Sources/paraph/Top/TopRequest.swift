import Bytes
import FoundationEssentials

/// One request of the admin listener's list, as far as `paraph top` shows it.
struct TopRequest: Decodable, Sendable {
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

    let id: Int
    /// Counts the requests that the proxy has recorded.
    let sequence: Int
    let time: String
    let client: String?
    let api: String?
    let account: String?
    let method: String
    let scheme: String?
    let authority: String
    let path: String
    let query: String?
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
        case id, sequence, time, client, api, account, method, scheme, authority, path, query, status, error, cause
        case details, outcome, times, repeats, begun
        case responseBytes = "response_bytes"
    }
}

extension TopRequest {
    var target: String {
        Self.target(method: method, scheme: scheme, authority: authority, path: path, query: query)
    }

    /// Returns the host, without a port that goes without saying, and what was asked of it; behind the scheme where
    /// that is not https.
    static func target(method: String, scheme: String?, authority: String, path: String, query: String?) -> String {
        guard method != "CONNECT" else { return authority }
        let isPlain = scheme == "http"
        let port = isPlain ? ":80" : ":443"
        let host = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
        return (isPlain ? "http://" : "") + host + path + (query.map { "?\($0)" } ?? "")
    }

    /// The reason why it did not go as it should; nil where it did.
    var problem: String? { error.map { [$0, cause].compactMap(\.self).joined(separator: " ") } ?? outcome }

    /// Returns whether it has all these words; a word behind a minus sign must not be in it.
    func matches(_ filter: String) -> Bool {
        let texts =
            [
                method, target, api, account, client, status.map { "\($0)" }, error, cause, details,
                outcome,
            ].compactMap(\.self) + repeats
        return Self.matches(filter, texts.joined(separator: " "))
    }

    static func matches(_ filter: String, _ text: String) -> Bool {
        let text = text.lowercased()
        return filter.lowercased().split(separator: " ").allSatisfy { word in
            word.hasPrefix("-") && word.count > 1 ? !text.contains(word.dropFirst()) : text.contains(word)
        }
    }

    /// The columns of one line, the last one with what went wrong.
    var columns: [String] {
        let again = repeats.isEmpty ? "" : "  (sent again: \(repeats.joined(separator: ", ")))"
        return Self.columns(
            time: time,
            status: status.map { "\($0)" } ?? "-",
            duration: Self.duration(times.total),
            method: method,
            client: client,
            owner: [api, account],
            target: target + (problem.map { "  \($0)" } ?? "") + again
        )
    }

    /// Returns time, status, duration, method, client, API and account, and target. Nothing in it moves a terminal's
    /// cursor.
    static func columns(
        time: String,
        status: String,
        duration: String,
        method: String,
        client: String?,
        owner: [String?],
        target: String
    ) -> [String] {
        let owner = owner.compactMap(\.self).joined(separator: "/")
        return [
            String(time.dropFirst(11).prefix(12)), status, duration, method, client ?? "-",
            owner.isEmpty ? "-" : owner, target,
        ].map { PrintableText($0, limit: 1024, escapesQuotes: false).description }
    }

    /// Writes microseconds, rounded, in at most seven characters, up to a day.
    static func duration(_ microseconds: Int) -> String {
        switch microseconds {
        case ..<1_000: "\(microseconds)µs"
        case ..<99_950: tenths(of: microseconds, unit: 1_000) + "ms"
        case ..<999_500: "\(rounded(microseconds, to: 1_000))ms"
        case ..<99_950_000: tenths(of: microseconds, unit: 1_000_000) + "s"
        default: "\(rounded(microseconds, to: 1_000_000))s"
        }
    }

    private static func tenths(of microseconds: Int, unit: Int) -> String {
        let tenths = rounded(microseconds, to: unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func rounded(_ microseconds: Int, to unit: Int) -> Int { (microseconds + unit / 2) / unit }
}
