import Bytes
import OAuthSigning

// Numbers and dates as languages and databases write them; each is tried alone.
extension DeviationCatalogue {
    var typedValueDeviations: [Deviation] { numberTexts + dateTexts }

    private static func decimal(_ text: String) -> Double? {
        let isPlain =
            !text.isEmpty && text.utf8.count < 32 && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E || $0 == 0x2D }
        return isPlain ? Double(text) : nil
    }

    private var numberTexts: [Deviation] {
        func number(_ words: String, _ change: @escaping @Sendable (Double) -> String?) -> Deviation {
            Self.values(.valueNumber, "signed numbers \(words)") { text in Self.decimal(text).flatMap(change) ?? text }
        }
        let places = (0...8).map { count in
            number("with \(count) decimal digits, rounded or filled with zeros (a float)") { Self.fixed($0, count) }
        }
        return places + [
            number("as a float of 32 bits is in 64, with all its digits (less precise)") { "\(Double(Float($0)))" },
            number("as a float of 32 bits rounds them (less precise)") { "\(Float($0))" },
            number("with 17 digits, as a float is to the last of them (rounded otherwise)") { Self.digits($0, 17) },
            number("with 15 digits (a float, rounded)") { Self.digits($0, 15) },
            number("without the zeros and the sign of -0") { $0 == 0 ? "0" : nil },
            number("rounded to a whole one") { abs($0) < 1e15 ? String(Int($0.rounded())) : nil },
            Self.values(.valueNumber, "signed numbers without the commas between the thousands") { text in
                text.contains(",") && Self.decimal(text.replacing(",", with: "")) != nil
                    ? text.replacing(",", with: "") : text
            },
            Self.values(.valueNumber, "signed numbers with a dot for the decimal comma, as a locale has it") { text in
                Self.decimal(text.replacing(",", with: ".")) != nil ? text.replacing(",", with: ".") : text
            },
            Self.values(.valueNumber, "signed numbers with a + in front") { Self.decimal($0) != nil ? "+" + $0 : $0 },
        ]
    }

    /// The number with so many digits behind the point; nil for what is too large.
    private static func fixed(_ number: Double, _ count: Int) -> String? {
        guard abs(number) < 1e9 else { return nil }
        let scale = (0..<count).reduce(1.0) { product, _ in product * 10 }
        let digits = String(Int((abs(number) * scale).rounded(.toNearestOrEven)))
        let filled = String(repeating: "0", count: max(0, count + 1 - digits.count)) + digits
        let sign = number < 0 ? "-" : ""
        return sign + (count == 0 ? filled : filled.dropLast(count) + "." + filled.suffix(count))
    }

    /// The number with so many digits that count, without zeros at the end; exact, as a float is.
    private static func digits(_ number: Double, _ count: Int) -> String? {
        let size = abs(number)
        guard 0.01..<1e9 ~= size else { return nil }
        // Ten times what stands behind the binary point still fits: at most 59 bits of it do.
        let shift = UInt64(52 - Int(size.exponent))
        let bits = size.significandBitPattern | 1 << 52
        let mask: UInt64 = 1 << shift - 1
        var (whole, rest) = (bits >> shift, bits & mask)
        var places: [UInt64] = []
        var counted = whole > 0 ? String(whole).count : 0
        while counted <= count {
            rest *= 10
            places.append(rest >> shift)
            rest &= mask
            if counted > 0 || places.last != 0 { counted += 1 }
        }
        var carry = (places.popLast() ?? 0) >= 5
        for index in places.indices.reversed() where carry {
            places[index] += 1
            carry = places[index] == 10
            if carry { places[index] = 0 }
        }
        if carry { whole += 1 }
        let fraction = String(places.map(String.init).joined().reversed().drop { $0 == "0" }.reversed())
        return (number < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// A point in time as it is often written: date, time, fraction and zone.
    private struct Moment {
        let date: Substring
        let time: Substring
        let fraction: Substring
        let zone: Substring
        let mark: Character

        init?(_ text: String) {
            guard text.utf8.count < 40 else { return nil }
            date = text.prefix(10)
            let parts = date.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
                return nil
            }
            let rest = text.dropFirst(10)
            mark = rest.first ?? "T"
            guard rest.isEmpty || "T ".contains(mark) else { return nil }
            let clock = rest.dropFirst()
            time = clock.prefix(8)
            guard rest.isEmpty || time.count == 8 && time.filter({ $0 == ":" }).count == 2 else { return nil }
            let behind = clock.dropFirst(8)
            fraction = behind.first == "." ? behind.prefix { $0 == "." || $0.isNumber } : ""
            zone = behind.dropFirst(fraction.count)
        }

        /// The seconds since 1970 in UTC; nil for another zone.
        var seconds: Int? {
            let numbers = (date.split(separator: "-") + time.split(separator: ":")).compactMap { Int($0) }
            guard numbers.count == 3 || numbers.count == 6, zone.isEmpty || ["Z", "+00:00", "+0000"].contains(zone)
            else { return nil }
            let (year, month, day) = (numbers[1] > 2 ? numbers[0] : numbers[0] - 1, (numbers[1] + 9) % 12, numbers[2])
            let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day - 1 - 719_468
            return days * 86400 + (numbers.count == 6 ? numbers[3] * 3600 + numbers[4] * 60 + numbers[5] : 0)
        }
    }

    private var dateTexts: [Deviation] {
        func date(_ words: String, _ change: @escaping @Sendable (Moment) -> String?) -> Deviation {
            Self.values(.valueDate, "signed dates \(words)") { text in Moment(text).flatMap(change) ?? text }
        }
        @Sendable func written(
            _ moment: Moment,
            fraction: Substring? = nil,
            zone: Substring? = nil,
            mark: Character? = nil
        )
            -> String?
        {
            if moment.time.isEmpty { return nil }
            let (mark, fraction, zone) = (mark ?? moment.mark, fraction ?? moment.fraction, zone ?? moment.zone)
            return "\(moment.date)\(mark)\(moment.time)\(fraction)\(zone)"
        }
        let orders: [(String, @Sendable ([Substring]) -> String)] = [
            ("as month/day/year", { "\($0[1])/\($0[2])/\($0[0])" }),
            ("as day/month/year", { "\($0[2])/\($0[1])/\($0[0])" }),
            ("as day.month.year", { "\($0[2]).\($0[1]).\($0[0])" }),
            ("as year/month/day", { "\($0[0])/\($0[1])/\($0[2])" }), ("without their hyphens", { $0.joined() }),
            ("as day-month-year", { "\($0[2])-\($0[1])-\($0[0])" }),
            ("without leading zeros, as month/day/year", { "\(Int($0[1]) ?? 0)/\(Int($0[2]) ?? 0)/\($0[0])" }),
        ]
        let zones = ["Z", "+0000", "+00:00", "", "+00", " UTC", " +0000", "-00:00", " GMT"].map { zone in
            date("with \(zone.isEmpty ? "no time zone (Z) behind them" : "the time zone \(zone)")") {
                written($0, zone: Substring(zone))
            }
        }
        let fractions = ["", ".000", ".000000", ".0"].map { fraction in
            date(
                "with \(fraction.isEmpty ? "no fraction of a second (milliseconds)" : "the fraction (milliseconds) \(fraction)")"
            ) { written($0, fraction: Substring(fraction)) }
        }
        return zones + fractions + [
            date("with milliseconds only, three digits of the fraction") {
                written($0, fraction: $0.fraction.prefix(4))
            },
            date("with microseconds, six digits of the fraction") { moment in
                moment.fraction.count > 1
                    ? written(
                        moment,
                        fraction: Substring(
                            moment.fraction + String(repeating: "0", count: max(0, 7 - moment.fraction.count))
                        )
                    ) : nil
            },
            date("as the seconds since 1970 (a timestamp)") { $0.seconds.map(String.init) },
            date("as the milliseconds since 1970 (a timestamp)") { $0.seconds.map { String($0) + "000" } },
            date("with a blank for the T, and no time zone (Z)") { written($0, fraction: "", zone: "", mark: " ") },
            date("with a blank for the T, and UTC for the time zone Z") {
                written($0, fraction: "", zone: " UTC", mark: " ")
            },
            date("with a blank for the T, and +00:00 for the time zone Z, as Python's str() does") {
                written($0, zone: "+00:00", mark: " ")
            },
            date("without the seconds") {
                $0.time.isEmpty ? nil : $0.date + String($0.mark) + $0.time.prefix(5) + $0.zone
            },
            date("with midnight behind them, T00:00:00") { $0.time.isEmpty ? $0.date + "T00:00:00" : nil },
            date("with midnight behind them, T00:00:00+00:00") { $0.time.isEmpty ? $0.date + "T00:00:00+00:00" : nil },
        ]
            + orders.map { words, order in
                date(words) { order($0.date.split(separator: "-")) + ($0.time.isEmpty ? "" : " \($0.time)") }
            }
    }
}
