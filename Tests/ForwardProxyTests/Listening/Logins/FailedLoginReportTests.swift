import Routing
import Testing

@testable import ForwardProxy

@Suite("Failed log-ins in the log")
struct FailedLoginReportTests {
    @Test("It names those concerned most, printable")
    func names() {
        var report = FailedLoginReport()
        #expect(report.isEmpty)
        for (number, name) in ["a\u{1b}[2J", "b", "c", "d", "d", "b", "b"].enumerated() {
            let login = ClaimedLogin(name: name, secret: "hidden".utf8Span.span)
            report.note(LoginAttempt(peer: .v4(UInt32(number % 2)), login: login), isChecked: number > 0)
        }
        #expect(report.failed == 6)
        #expect(report.unchecked == 1)
        #expect(report.addressText == "0.0.0.0 (4), 0.0.0.1 (3)")
        #expect(report.nameText == "\"b\" (3), \"d\" (2), \"a\\u{1b}[2J\" (1), and 1 more")
    }

    @Test("It shows no name of nobody, which may be a secret in the wrong place")
    func unlisted() {
        var report = FailedLoginReport()
        for (name, isListed) in [("billing", true), ("hidden", false), ("hidden too", false)] {
            let login = ClaimedLogin(name: name, secret: "".utf8Span.span, isListed: isListed)
            report.note(LoginAttempt(peer: .v4(0), login: login), isChecked: true)
            if !isListed { #expect(!report.nameText.contains("hidden")) }
        }
        #expect(report.nameText == "\"billing\" (1), names of no client (2)")
    }

    @Test("However many names there are, those that are counted are bounded, as is their length")
    func isBounded() {
        var report = FailedLoginReport()
        for number in 0..<1000 {
            let login = ClaimedLogin(name: String(repeating: "x", count: 100) + "\(number)", secret: "a".utf8Span.span)
            #expect(login.name.utf8.count == 64)
            report.note(
                LoginAttempt(
                    peer: .v4(UInt32(number)),
                    login: ClaimedLogin(name: "\(number)", secret: "".utf8Span.span)
                ),
                isChecked: true
            )
        }
        #expect(report.failed == 1000)
        #expect(report.nameText.hasSuffix(", and 253 more"))
        #expect(report.addressText.hasSuffix(", and 253 more"))
    }
}
