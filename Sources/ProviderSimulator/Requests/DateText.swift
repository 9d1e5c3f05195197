/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum DateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter time: Seconds since 1970.
    static func text(_ time: UInt64) -> String {
        let day = Int(time / 86_400)
        let second = Int(time % 86_400)
        let date = civil(day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(date.day)) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }

    /// The proleptic Gregorian date of a number of days since 1970. The years it counts in begin in March, so that
    /// the leap day is the last of its year; 400 of them, an era, have 146,097 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let sinceEraZero = days + 719_468
        let era = sinceEraZero / 146_097
        let dayOfEra = sinceEraZero % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
