import AdminServer
import Foundation
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
                vault               state/vault

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
                         fix: paraph login x
                warning  the pins expire
                         fix: paraph pins x
                """
        )
    }

    private static let sharedVaults: [(StoreStatus, [String])] = [
        (
            StoreStatus(
                kind: .etcd,
                name: "p/ in etcd (e)",
                records: 1,
                revision: 12,
                seenRevision: 9,
                lagSeconds: 0
            ),
            ["vault               p/ in etcd (e), 1 record", "revision 12, changes seen as they come"]
        ),
        (
            StoreStatus(kind: .etcd, name: "p/ in etcd (e)", records: 2, revision: 12),
            ["vault               p/ in etcd (e), 2 records", "revision 12, changes not seen yet"]
        ),
        (
            StoreStatus(
                kind: .etcd,
                name: "p/ in etcd (e)",
                reason: "down",
                seenRevision: 9,
                lagSeconds: 61,
                interruptedSince: ServiceStatus.sampleTime - 61
            ),
            [
                "vault               p/ in etcd (e), NOT REACHABLE",
                "revision not known, changes not seen since 2027-01-15T07:58:59Z (1 min 1 s)",
            ]
        ),
        (
            StoreStatus(
                kind: .etcd,
                name: "p/ in etcd (e)",
                records: 0,
                revision: 12,
                seenRevision: 9,
                lagRevisions: 3,
                lagSeconds: 5,
                interruptedSince: ServiceStatus.sampleTime - 5,
                turns: [
                    TurnStatus(api: "x", account: "al\u{1B}ice", holder: "one"),
                    TurnStatus(api: nil, account: nil, holder: "other"),
                    TurnStatus(api: "x", account: "bob", holder: "one"),
                    TurnStatus(api: "x", account: "carol", holder: "one"),
                ],
                turnsLeftOut: 2
            ),
            [
                "vault               p/ in etcd (e), 0 records",
                "revision 12, changes not seen since 2027-01-15T07:59:55Z (5 s, 3 of its revisions)",
                "exchanges for x/al\\u{1b}ice by one, an account that is not known here by other, x/bob by one and 3 more",
            ]
        ),
    ]

    @Test("A vault that replicas share: what is there, what is seen, and who exchanges", arguments: sharedVaults)
    func sharedVault(store: StoreStatus, lines: [String]) {
        var status = ServiceStatus.sample
        status.store = store
        let text = StatusText(status, style: .plain).text.split(separator: "\n\n").first ?? ""
        let told = text.split(separator: "\n").suffix(lines.count).map { line in
            line.hasPrefix("vault") ? String(line) : String(line.drop { $0 == " " })
        }
        #expect(told == lines)
        #expect(ServiceStatus(jsonText: status.jsonText) == status)
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
