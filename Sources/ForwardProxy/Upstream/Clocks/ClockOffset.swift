import Bytes
package import Credentials

/// The offset of a provider's clock from this machine's, as its answer tells. `now` is this machine's time, in seconds
/// since 1970-01-01T00:00:00Z.
package enum ClockOffset {
    /// The provider's time minus this machine's, in seconds, from the `Date` field (RFC 9110, section 6.6.1).
    static func read(date: String, now: Int64) -> Int64? {
        HTTPDate.seconds(date).map { $0 - now }
    }

    /// The same, from an exchange's answer.
    package static func read(_ response: ExchangeResponse, now: Int64) -> Int64? {
        response.fields.first { $0.0.lowercased() == "date" }.flatMap { read(date: $0.1, now: now) }
    }

    /// Returns the offset that brings this machine's time into the range that the provider says it accepts.
    static func read(acceptable: ClosedRange<UInt64>, now: Int64) -> Int64 {
        let middle = acceptable.lowerBound + (acceptable.upperBound - acceptable.lowerBound) / 2
        // A time that no clock has must not make later sums overflow.
        return Int64(min(middle, latestTime)) - now
    }

    /// A time far beyond the year 9999, where dates end.
    private static let latestTime: UInt64 = 1 << 40
}

/// HTTP-date (RFC 9110, section 5.6.7): IMF-fixdate and the two obsolete formats, which recipients must take.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970-01-01T00:00:00Z; nil when the text is no such date.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let day = number(day, 1...31), let year = number(year, 0...9999),
            let monthIndex = months.firstIndex(where: { $0 == month }),
            let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
            let second = number(clock[2], 0...60)
        else { return nil }
        // Two digits are a year of this century (RFC 9110: not more than 50 years ahead).
        let days = daysSinceEpoch(year: year < 100 ? year + 2000 : year, month: monthIndex + 1, day: day)
        return Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.count <= 4, text.utf8.allSatisfy(\.isDigit), let value = Int(text),
            range.contains(value)
        else { return nil }
        return value
    }

    /// Returns the number of days since 1970-01-01 in the proleptic Gregorian calendar: years begin in March, so that
    /// the leap day is their last.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
