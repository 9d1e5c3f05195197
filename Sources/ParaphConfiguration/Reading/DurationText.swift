/// The text of a duration: `250ms`, `10s`, `5m`, `1h`.
package enum DurationText {
    private static let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]

    /// The number of milliseconds, or of as many as there can be; nil when the text is no duration.
    package static func milliseconds(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.0) }),
            let number = Value.digits(text.dropLast(unit.0.count))
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.1)
        return overflow ? .max : milliseconds
    }
}
