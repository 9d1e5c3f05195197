import FoundationEssentials

extension Value {
    /// `YYYY-MM-DD`: the first moment after that day, in UTC.
    func endOfDay() -> Date? {
        guard let text = text() else { return nil }
        let style = Date.ISO8601FormatStyle().year().month().day()
        // What is written again otherwise is a day that the calendar does not have.
        guard let day = try? style.parse(text), style.format(day) == text else {
            report("is no date; write year, month and day, like 2031-06-01")
            return nil
        }
        return day.addingTimeInterval(86_400)
    }
}
