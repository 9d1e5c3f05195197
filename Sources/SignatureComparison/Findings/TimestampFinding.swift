/// The findings on the other side's `oauth_timestamp` (RFC 5849, section 3.3).
package enum TimestampFinding {
    /// Providers commonly accept five minutes to either side.
    private static let window: UInt64 = 300

    /// - Parameters:
    ///   - now: Seconds since 1970 that it is compared with.
    ///   - clock: Whose they are, in words.
    static func finding(for timestamp: String, now: UInt64, clock: String) -> ComparisonFinding? {
        if let words = fault(of: timestamp, now: now) {
            return ComparisonFinding(
                cause: .timestampMalformed,
                certainty: .seen,
                sentence: "oauth_timestamp \(words); it must be the whole seconds since 1970, in digits."
            )
        }
        guard let time = UInt64(timestamp) else { return nil }
        let distance = time > now ? time - now : now - time
        guard distance > window else { return nil }
        return ComparisonFinding(
            cause: .timestampFar,
            certainty: .remark,
            sentence:
                "oauth_timestamp is \(distance) s \(time > now ? "ahead of" : "behind") \(clock); providers commonly "
                + "accept \(window) s."
        )
    }

    /// Returns what is wrong with the form of a timestamp, in words that follow its name; nil for a number of seconds.
    package static func fault(of timestamp: String, now: UInt64) -> String? {
        guard timestamp.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let time = UInt64(timestamp) else {
            return "\"\(timestamp)\" is no number of seconds: \(reason(timestamp))"
        }
        if time / 500 <= now { return nil }
        let units = [("milliseconds", 500_000), ("microseconds", 500_000_000)] as [(String, UInt64)]
        let unit = units.first { time / $0.1 <= now }?.0 ?? "nanoseconds"
        return "\(timestamp) is not in seconds, but in \(unit)"
    }

    private static func reason(_ timestamp: String) -> String {
        let trimmed = timestamp.trimmed
        if timestamp.isEmpty { return "it is empty" }
        if trimmed.isEmpty { return "it is white space" }
        if trimmed != timestamp {
            return timestamp.contains(where: \.isNewline)
                ? "a line end (line feed) stands before or behind it, as date writes one"
                : "white space (a blank) stands before or behind it"
        }
        if let quote = timestamp.first, "\"'".contains(quote) { return "it is in quotation marks" }
        if timestamp.hasPrefix("0x") { return "it is written in hexadecimal digits" }
        if timestamp.hasPrefix("-") || timestamp.hasPrefix("+") { return "it begins with a sign" }
        if let number = Double(timestamp), number.isFinite {
            return timestamp.contains("e") || timestamp.contains("E")
                ? "it is written with an exponent" : "it has a fraction (decimal digits)"
        }
        if timestamp.contains(",") || timestamp.contains("_") { return "it has separators, as a locale writes them" }
        if timestamp.contains("-") || timestamp.contains(":") || timestamp.contains("/") { return "it is a date" }
        if ["null", "undefined", "None", "nil", "NaN", "(null)"].contains(timestamp) {
            return "it is the word for none"
        }
        if timestamp.unicodeScalars.contains(where: { $0.properties.numericType != nil && !$0.isASCII }) {
            return "its digits are not those of ASCII, but a locale's"
        }
        return "only digits may stand in it"
    }
}
