import AdminServer
import Testing

@testable import paraph

@Suite("A status for a person")
struct StatusTextTests {
    @Test("has everything in columns, and what is not printable escaped")
    func whole() {
        var status = ServiceStatus.sample
        status.problems = [
            StatusProblem(.error, .accountNeedsLogin, "account x has \u{1B}no token", remedy: "paraph login x"),
            StatusProblem(.warning, .pinsExpire, "the pins expire", remedy: "paraph pins x"),
        ]
        #expect(
            StatusText(status, style: .plain).text == """
                paraph              1.2.3 (commit abc)
                state               ready, up 1 d 2 h, since 2027-01-14T05:56:56Z
                configuration       paraph.yaml, loaded 2027-01-15T07:59:00Z
                last reload         applied 2027-01-15T07:59:00Z
                proxy               [::1]:8443, by TLS
                admin               127.0.0.1:8081
                gateway of members  127.0.0.1:9000
                connections         3/100 of clients, 5 in all
                local CA            state/ca.pem, until 2037-01-12T08:00:00Z
                                    SHA-256 AB:CD

                API      AUTHORIZATION  HOSTS                                   PINS                           \
                CLOCK  USED/IDLE/WAITING
                twitter  HMAC-SHA1      api.twitter.com, upload.twitter.com +1  2, until 2027-04-25T08:00:00Z  \
                -7 s   1/2/0
                members  oauth2         http://members.example                  -                              \
                -      0/0/0

                API      ACCOUNT  TOLD                  RATE LIMITS
                twitter  default  2027-01-15T07:59:55Z  x-rate-limit-limit: 15, x-rate-limit-remaining: \\u{1b}7

                API      ACCOUNT          SOURCE     STATE  AGE         EXPIRES               WAITING  LAST EXCHANGE
                twitter  default          issued     ready  configured  -                     0        -
                members  al\\u{1b}[31mice  password   ready  1 min 30 s  2027-01-15T09:00:00Z  2        \
                2027-01-15T07:59:50Z succeeded
                         and 12 more      enrolment

                What is wrong:
                error    account x has \\u{1b}no token
                         mend it: paraph login x
                warning  the pins expire
                         mend it: paraph pins x
                """
        )
    }

    @Test("says so when nothing is wrong, and when it is not ready")
    func states() {
        var status = ServiceStatus.sample
        #expect(StatusText(status, style: .plain).text.hasSuffix("\n\nNothing is wrong."))
        status.notReady = ["vault", "proxy"]
        #expect(StatusText(status, style: .plain).text.contains("NOT READY (vault, proxy), up"))
    }

    @Test(
        "Durations in their two greatest units",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (61, "1 min 1 s"), (3_600, "1 h"), (3_661, "1 h 1 min"),
            (86_400, "1 d"), (93_784, "1 d 2 h"), (90_000_000, "1041 d 16 h"),
        ]
    )
    func durations(seconds: Int, text: String) {
        #expect(StatusText.duration(seconds) == text)
    }

    @Test("The JSON is read as what was written")
    func roundTrip() {
        var status = ServiceStatus.sample
        status.problems = StatusProblem.Kind.allCases.map { kind in
            StatusProblem(.warning, kind, api: "x", account: nil, "\"\u{7}", remedy: "r")
        }
        status.accounts.append(
            AccountStatus(api: "x", account: "y", source: .threeLegged, state: .needsLogin, detail: "old")
        )
        #expect(ServiceStatus(jsonText: status.jsonText) == status)
        #expect(ServiceStatus(jsonText: "{}") == nil)
    }
}
