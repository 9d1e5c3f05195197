import Bytes
import NIOCore
import Routing

extension Value {
    /// Text that is not empty and holds no control character.
    func word() -> String? {
        guard let text = text() else { return nil }
        guard !text.isEmpty else {
            report("is empty")
            return nil
        }
        guard !text.hasControl else {
            report("holds a control character or a line break")
            return nil
        }
        return text
    }

    /// `on`, `off`, `true` or `false`.
    func isOn() -> Bool? {
        guard let text = text() else { return nil }
        guard let state = Self.switchState(text) else {
            report("is neither on nor off")
            return nil
        }
        return state
    }

    /// The meaning of a switch's word; `nil` when it is none.
    static func switchState(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "on", "true": true
        case "off", "false": false
        default: nil
        }
    }

    /// One of the words of `Choice`. Where a choice has `on` and `off` among its words, `true` and `false` mean them.
    ///
    /// - Parameter alternative: The text that may be written instead, for the person who is told.
    func choice<Choice>(
        of type: Choice.Type = Choice.self,
        or alternative: String? = nil
    ) -> Choice? where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
        guard let text = text() else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        if let state = Self.switchState(text), let choice = Choice(rawValue: state ? "on" : "off") { return choice }
        let words = Choice.allCases.map(\.rawValue)
        if let near = NearestWord.to(text, among: words) {
            report("is not \(ShownName.word(text, near: near)); did you mean \(near)?")
        } else {
            report("must be \(alternatives(words + [alternative].compactMap(\.self)))")
        }
        return nil
    }

    /// Returns the correction of a word that should be one of those: `: "word"; did you mean words?` where one is near,
    /// or else nothing.
    static func correction(of word: String, among words: some Sequence<String>) -> String {
        NearestWord.to(word, among: words).map { ": \(ShownName.word(word, near: $0)); did you mean \($0)?" } ?? ""
    }

    /// - Parameter alternative: The text that may be written instead, for the person who is told.
    func integer(_ range: ClosedRange<Int>, or alternative: String? = nil) -> Int? {
        guard let text = text() else { return nil }
        guard let number = Self.digits(text), range.contains(number) else {
            let more = alternative.map { ", or \($0)" } ?? ""
            report("must be a whole number from \(range.lowerBound) to \(range.upperBound)\(more)")
            return nil
        }
        if text.hasPrefix("0"), text.utf8.count > 1 {
            advise(.warning, "begins with 0 and is a decimal number all the same: \(number)")
        }
        return number
    }

    /// `64KiB`, `1MiB`, or bytes as a plain number.
    func size(_ range: ClosedRange<Int>) -> Int? {
        guard let text = text() else { return nil }
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]
        let unit = units.first { text.hasSuffix($0.0) }
        guard let number = Self.digits(text.dropLast(unit?.0.count ?? 0)) else {
            report("is not a size; write a number and KiB or MiB, like 64KiB, or a number of bytes")
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !overflow, range.contains(bytes) else {
            report("must be from \(Self.describe(range.lowerBound)) to \(Self.describe(range.upperBound))")
            return nil
        }
        return bytes
    }

    private static func describe(_ bytes: Int) -> String {
        switch bytes {
        case 0: "0"
        case _ where bytes % (1 << 30) == 0: "\(bytes >> 30)GiB"
        case _ where bytes % (1 << 20) == 0: "\(bytes >> 20)MiB"
        case _ where bytes % (1 << 10) == 0: "\(bytes >> 10)KiB"
        default: "\(bytes)"
        }
    }

    /// `250ms`, `10s`, `5m`, `1h`; at most a day.
    /// - Parameter allowsZero: Whether not to wait at all makes sense.
    func duration(allowsZero: Bool = false) -> TimeAmount? {
        guard let text = text() else { return nil }
        guard let milliseconds = DurationText.milliseconds(text) else {
            report("is not a duration; write a number and ms, s, m or h, like 250ms, 10s, 5m, 1h")
            return nil
        }
        guard milliseconds <= 86_400_000, milliseconds > 0 || allowsZero else {
            report("must be from \(allowsZero ? "0s" : "1ms") to 24h")
            return nil
        }
        return .milliseconds(Int64(milliseconds))
    }

    /// A number of decimal digits alone.
    static func digits(_ text: some StringProtocol) -> Int? {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }
}
