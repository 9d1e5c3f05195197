import Bytes
import FoundationEssentials

/// The part of a request that is known once it has begun, as far as `paraph top` shows it.
struct TopRequestHead: Decodable, Sendable {
    let time: String
    let client: String?
    let api: String?
    let account: String?
    let method: String
    let scheme: URIScheme?
    let authority: String
    let path: String
    let query: String?

    /// The host, without a port that goes without saying, and what was asked of it; behind the scheme where that is not
    /// https.
    var target: String {
        guard method != "CONNECT" else { return authority }
        let scheme = scheme ?? .https
        let port = ":\(scheme.defaultPort)"
        let host = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
        return (scheme == .https ? "" : "\(scheme.rawValue)://") + host + path + (query.map { "?\($0)" } ?? "")
    }

    /// Returns whether this and other texts have all the words of a filter; a word behind a minus sign must not be in
    /// them.
    func matches(_ filter: String, with others: [String]) -> Bool {
        let texts = [method, target, api, account, client].compactMap(\.self) + others
        let text = texts.joined(separator: " ").lowercased()
        return filter.lowercased().split(separator: " ").allSatisfy { word in
            word.hasPrefix("-") && word.count > 1 ? !text.contains(word.dropFirst()) : text.contains(word)
        }
    }

    /// Returns time, status, duration, method, client, API and account, and target with a remark. Nothing in it moves a
    /// terminal's cursor.
    func columns(status: String, microseconds: Int, remark: String = "") -> [String] {
        let owner = [api, account].compactMap(\.self).joined(separator: "/")
        return [
            String(time.dropFirst(11).prefix(12)), status, Self.duration(microseconds), method, client ?? "-",
            owner.isEmpty ? "-" : owner, target + remark,
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
