import Bytes

/// The findings on the other side's `oauth_timestamp` (RFC 5849, section 3.3).
package enum TimestampFinding {
    /// Providers commonly accept five minutes to either side.
    private static let window: UInt64 = 300

    /// - Parameters:
    ///   - now: The seconds since 1970 that it is compared with.
    ///   - clock: The clock that they are of, in words.
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
        guard timestamp.utf8.allSatisfy(\.isDigit), let time = UInt64(timestamp) else {
            return "\"\(timestamp)\" is no number of seconds: \(reason(timestamp))"
        }
        if let words = otherClock(timestamp, time, now: now) { return "\(timestamp) \(words)" }
        if time / 500 <= now { return nil }
        let units = [("milliseconds", 500_000), ("microseconds", 500_000_000)] as [(String, UInt64)]
        let unit = units.first { time / $0.1 <= now }?.0 ?? "nanoseconds"
        return "\(timestamp) is not in seconds, but in \(unit)"
    }

    /// The time before which nobody signed with OAuth, in seconds since 1970: it came in 2007.
    private static let beginning: Int64 = 1_190_000_000
    private static let year: Int64 = 366 * 86400

    /// Returns the unit or the beginning that a time has which is none since 2007 in seconds since 1970; nil where none
    /// fits.
    private static func otherClock(_ timestamp: String, _ time: UInt64, now: UInt64) -> String? {
        guard let time = Int64(exactly: time), let now = Int64(exactly: now), now > beginning, now < .max - year else {
            return nil
        }
        let plausible = beginning...(now + year)
        if plausible.contains(time) { return nil }
        if timestamp.count == 14, timestamp.hasPrefix("20"), "01"..."12" ~= timestamp.dropFirst(4).prefix(2) {
            return "is a date (year, month, day and time) and not in seconds"
        }
        let clocks: [(String, Int64?)] = [
            ("is in minutes and not in seconds", product(time, 60)),
            ("is in hours and not in seconds", product(time, 3600)),
            ("is in days and not in seconds", product(time, 86400)),
            ("is in tenths of a second and not in seconds", time / 10),
            ("is in hundredths of a second and not in seconds", time / 100),
            ("is counted from 2001, as Apple's reference date (Cocoa) is, and not from 1970", sum(time, 978_307_200)),
            ("is counted from 1900, as NTP does, and not from 1970", sum(time, -2_208_988_800)),
            ("is counted from 1904, as the old Mac OS did, and not from 1970", sum(time, -2_082_844_800)),
            ("is counted from the year 1 (.NET) and not from 1970", sum(time, -62_135_596_800)),
            (
                "is in ticks of .NET (100 ns since the year 1) and not in seconds",
                sum(time / 10_000_000, -62_135_596_800)
            ),
            (
                "is a FILETIME of Windows (100 ns since 1601) and not in seconds",
                sum(time / 10_000_000, -11_644_473_600)
            ),
        ]
        let fitting = clocks.compactMap { words, seconds in
            seconds.flatMap { plausible.contains($0) ? (words: words, distance: abs($0 - now)) : nil }
        }
        return fitting.min { $0.distance < $1.distance }?.words
    }

    private static func product(_ time: Int64, _ factor: Int64) -> Int64? {
        let (product, overflow) = time.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    private static func sum(_ time: Int64, _ other: Int64) -> Int64? {
        let (sum, overflow) = time.addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
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
        if ["{{", "${", "$", "%", "<", ":", "#{", "@{", "{"].contains(where: timestamp.hasPrefix) {
            return "it is the placeholder of a template or the name of a variable, which was not replaced"
        }
        if isNumber(timestamp.dropLast()), let last = timestamp.last, "LnlsSfFdDuU".contains(last) {
            return "the letter \(last) stands behind it, the suffix of a literal"
        }
        if timestamp.count == 8, timestamp.allSatisfy(\.isHexDigit) { return "it is written in hexadecimal digits" }
        let groups = timestamp.split(whereSeparator: { ".,' \u{A0}\u{202F}_".contains($0) })
        if groups.count > 2, groups.allSatisfy(isNumber), groups.dropFirst().allSatisfy({ $0.count == 3 }) {
            return "it has separators (commas, dots or blanks) between the thousands, as a locale writes them"
        }
        if groups.count == 2, timestamp.contains(","), groups.allSatisfy(isNumber) {
            return "it has a fraction behind a comma, as a locale writes it"
        }
        if timestamp.hasPrefix("function") || timestamp.contains("=>") {
            return "it is the text of a function that was not called"
        }
        if timestamp.hasPrefix("-") || timestamp.hasPrefix("+") { return "it begins with a sign" }
        if let number = Double(timestamp), number.isFinite {
            return timestamp.contains("e") || timestamp.contains("E")
                ? "it is written with an exponent" : "it has a fraction (decimal digits)"
        }
        if timestamp.contains(":"), timestamp.contains(where: \.isLetter) { return "it is a date" }
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
