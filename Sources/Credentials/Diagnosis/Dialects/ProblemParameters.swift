import Bytes

/// The parameters of OAuth Problem Reporting, wherever they stand.
struct ProblemParameters {
    private static let problem = "oauth_problem"
    private static let names = [
        problem, "oauth_problem_advice", "oauth_parameters_absent", "oauth_parameters_rejected",
        "oauth_acceptable_timestamps", "oauth_acceptable_versions",
    ]

    /// Decoded.
    private let values: [String: String]

    /// Nil when there is no problem among them, and no range of timestamps.
    private init?(_ values: [String: String]) {
        guard values[Self.problem] != nil || values["oauth_acceptable_timestamps"] != nil else { return nil }
        self.values = values
    }

    init?(_ challenge: Challenge) {
        self.init(challenge.parameters.mapValues { Self.decoded($0.utf8) })
    }

    init?(_ json: JSONValue) {
        var values: [String: String] = [:]
        for name in Self.names { values[name] = json[name]?.text }
        self.init(values)
    }

    /// Finds them in a form, and in any other text that has some (`… oauth_problem="token_expired", realm="…"`).
    init?(_ text: [UInt8]) {
        let lowered = ByteSearch.lowercased(text)
        var values: [String: String] = [:]
        for name in Self.names {
            values[name] = Self.value(of: Array(name.utf8), in: text, lowered: lowered)
        }
        self.init(values)
    }

    private static func value(of name: [UInt8], in text: [UInt8], lowered: [UInt8]) -> String? {
        var start = 0
        while let found = ByteSearch.index(of: name, in: lowered, from: start) {
            start = found + name.count
            let precedes = found == 0 ? 0x20 : lowered[found - 1]
            guard !(0x61...0x7A ~= precedes || precedes == UInt8(ascii: "_")), start < text.count,
                text[start] == UInt8(ascii: "=")
            else { continue }
            let rest = text[(start + 1)...]
            let quote = UInt8(ascii: "\"")
            if rest.first == quote { return decoded(rest.dropFirst().prefix { $0 != quote }) }
            let ends: [UInt8] = [0x22, 0x26, 0x27, 0x2C, 0x3B, 0x3C]
            return decoded(rest.prefix { $0 > 0x20 && !ends.contains($0) })
        }
        return nil
    }

    /// As in a form; as it is where it is not encoded.
    private static func decoded(_ value: some Collection<UInt8>) -> String {
        let spaced = value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        return String(decoding: PercentEncoding.decode(spaced) ?? Array(value), as: UTF8.self)
    }

    // MARK: Meanings

    var problem: String? { values[Self.problem] }
    var advice: String? { values["oauth_problem_advice"] }
    var acceptableVersions: String? { values["oauth_acceptable_versions"].map { condensed($0, limit: 20) } }
    var missing: [String] { list("oauth_parameters_absent") }
    var rejected: [String] { list("oauth_parameters_rejected") }

    /// At most 16 names of at most 64 characters.
    private func list(_ name: String) -> [String] {
        let names = (values[name] ?? "").split { !($0.isLetter || $0.isNumber || "_.-[]".contains($0)) }
        return names.prefix(16).map { condensed($0, limit: 64) }
    }

    /// `a-b`, in seconds; some providers count milliseconds.
    var acceptableTimestamps: ClosedRange<UInt64>? {
        let ends = (values["oauth_acceptable_timestamps"] ?? "").split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        let isMilliseconds = first > 100_000_000_000
        return isMilliseconds ? (first / 1_000)...(last / 1_000) : first...last
    }
}
