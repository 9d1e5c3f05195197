import Testing

@testable import SignatureComparison

@Suite("Timestamps of other signers")
struct TimestampFindingTests {
    private static let now: UInt64 = 1_700_000_000

    @Test("A number of seconds is none but one", arguments: ["1700000000", "0", "1"])
    func seconds(_ timestamp: String) { #expect(TimestampFinding.fault(of: timestamp, now: Self.now) == nil) }

    @Test(
        "What else a timestamp is, is told",
        arguments: [
            ("1700000000123", "in milliseconds"), ("1700000000123456", "in microseconds"),
            ("1700000000123456789", "in nanoseconds"), ("1700000000.5", "a fraction"), ("1.7e+09", "an exponent"),
            ("2023-11-14T22:13:20Z", "a date"), ("1700000000\n", "a line end"), (" 1700000000", "white space"),
            ("\"1700000000\"", "quotation marks"), ("-1700000000", "a sign"), ("0x6553f100", "hexadecimal"),
            ("1,700,000,000", "separators"), ("null", "the word for none"), ("", "it is empty"),
            ("soon", "only digits"),
            ("28333333", "in minutes"), ("472222", "in hours"), ("19675", "in days"), ("170000000000", "in hundredths"),
            ("721692800", "from 2001"), ("3908988800", "from 1900"), ("638355968000000000", "ticks of .NET"),
            ("133444736000000000", "a FILETIME"), ("20231114221320", "is a date"),
            ("Tue, 14 Nov 2023 22:13:20 GMT", "is a date"),
            ("1700000000L", "suffix of a literal"), ("{{timestamp}}", "placeholder"), ("1.700.000.000", "separators"),
            ("\u{661}\u{667}", "a locale's"), ("99999999999999999999", "is no number of seconds"),
        ]
    )
    func faults(_ timestamp: String, _ words: String) throws {
        let fault = try #require(TimestampFinding.fault(of: timestamp, now: Self.now))
        #expect(fault.contains(words), "\(fault)")
    }
}
