import AdminServer
import Credentials
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import Testing

@testable import paraph

@Suite("The search for problems")
struct ProblemSearchTests {
    private static func problems(
        authorityIsParaphs: Bool = true,
        authorityIsRenewed: Bool = false,
        reach: [String] = [],
        vaultErrors: [VaultError] = [],
        putBack: Set<CredentialName> = [],
        filesWarning: String? = nil,
        hasJustLostLines: Bool = false,
        health: [String: HealthOfAPI] = [:],
        advice: [Advice] = [],
        _ change: (inout ServiceStatus) -> Void = { _ in }
    ) -> [StatusProblem] {
        var status = ServiceStatus.sample
        change(&status)
        return ProblemSearch(
            status: status,
            authorityIsParaphs: authorityIsParaphs,
            authorityIsRenewed: authorityIsRenewed,
            reachSentences: reach,
            vaultErrors: vaultErrors,
            putBack: putBack,
            filesWarning: filesWarning,
            hasJustLostLines: hasJustLostLines,
            health: health,
            advice: advice
        ).problems
    }

    @Test("Nothing, where nothing is")
    func nothing() {
        #expect(Self.problems().isEmpty)
    }

    @Test("Parts that are not ready", arguments: Readiness.Part.allCases)
    func parts(part: Readiness.Part) {
        let problems = Self.problems { $0.notReady = [part.rawValue] }
        #expect(problems.map(\.kind) == [.notReady])
        #expect(problems.map(\.severity) == [.error])
    }

    @Test("Changes of other replicas that are not seen, where the vault itself can be read")
    func unseenChanges() {
        let since = ServiceStatus.sampleTime - 60
        func store(reason: String?) -> StoreStatus {
            StoreStatus(kind: .etcd, name: "p/ in etcd", reason: reason, interruptedSince: since, interruption: "No.")
        }
        let problems = Self.problems { $0.store = store(reason: nil) }
        #expect(problems.map(\.kind) == [.changesUnseen])
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems[0].message.hasSuffix(" has not been seen since 2027-01-15T07:59:00Z: No."))
        let away = Self.problems { $0.store = store(reason: "down") }
        #expect(away.isEmpty)
    }

    @Test("A re-key that is not finished, and a key that opens the vault no more")
    func keys() {
        func problem(_ key: StoreStatus.Key) -> StatusProblem? {
            let problems = Self.problems { $0.store = StoreStatus(kind: .etcd, name: "p/ in etcd", key: key) }
            #expect(problems.count <= 1)
            return problems.first
        }
        #expect(problem(.current) == nil)
        let finish = "paraph accounts rekey --finish --config paraph.yaml   # when every proxy has the new key"
        #expect(problem(.new)?.remedy == finish)
        #expect(problem(.old)?.kind == .rekeyUnfinished)
        #expect(problem(.old)?.message.hasSuffix("this proxy's configuration has the old key") == true)
        #expect(problem(.dead)?.kind == .vaultKeyReplaced)
        #expect(problem(.dead)?.severity == .warning)
    }

    @Test("A reload that was refused, with its first mistake")
    func reload() {
        let refused = Self.problems {
            $0.configuration.lastReload = ReloadStatus(
                time: ServiceStatus.sampleTime,
                result: .refused,
                reason: "it has mistakes",
                mistakes: ["paraph.yaml:1:1: a", "paraph.yaml:2:1: b"]
            )
        }
        #expect(refused.map(\.kind) == [.reloadRefused])
        #expect(refused[0].message.hasSuffix("it has mistakes: paraph.yaml:1:1: a (and 1 more)"))
        #expect(refused[0].remedy.hasPrefix("paraph check --config paraph.yaml "))
    }

    @Test("Accounts without a token, with the command that gets one")
    func login() {
        let problems = Self.problems {
            $0.accounts = [AccountStatus(api: "x", account: "bob's", source: .threeLegged, state: .needsLogin)]
        }
        #expect(
            problems == [
                StatusProblem(
                    .error,
                    .accountNeedsLogin,
                    api: "x",
                    account: "bob's",
                    "account x/bob's has no token yet",
                    remedy: #"paraph login x --account 'bob'\''s' --config paraph.yaml"#
                )
            ]
        )
    }

    @Test(
        "A failed exchange is an error where there is no token, and a warning where there is one",
        arguments: [(AccountStatus.State.failing, StatusProblem.Severity.error), (.ready, .warning)]
    )
    func exchange(state: AccountStatus.State, severity: StatusProblem.Severity) {
        let failed = ExchangeStatus(
            time: ServiceStatus.sampleTime,
            result: .failed,
            reason: "r",
            detail: "It failed.\n  its chain\n"
        )
        let problems = Self.problems {
            $0.accounts = [
                AccountStatus(api: "x", account: "a", source: .password, state: state, lastExchange: failed)
            ]
        }
        #expect(problems.map(\.kind) == [.exchangeFailed])
        #expect(problems[0].severity == severity)
        #expect(problems[0].message.hasSuffix("It failed."))
    }

    @Test("What others put into the vault and cannot be used", arguments: [AccountStatus.Source.enrolment, .xAuth])
    func unusable(source: AccountStatus.Source) {
        let problems = Self.problems(vaultErrors: [.damaged(path: "/v/x.sealed")]) {
            $0.accounts = [AccountStatus(api: "x", account: "-a", source: source, state: .unusable, detail: "why")]
        }
        #expect(problems.map(\.kind) == [.vaultUnreadable, .accountUnusable])
        #expect(problems[1].remedy == "paraph accounts show --config paraph.yaml x/-a")
    }

    @Test(
        "An older credential that was put back is to be removed, and what follows is told",
        arguments: [
            (AccountStatus.Source.enrolment, "then have it enrolled again"),
            (.xAuth, "the next request gets a new token"), (.threeLegged, "then log in again (paraph login)"),
        ]
    )
    func putBack(source: AccountStatus.Source, sequel: String) {
        let problems = Self.problems(putBack: [CredentialName(api: "x", account: "a")]) {
            $0.accounts = ["a", "b"].map {
                AccountStatus(api: "x", account: $0, source: source, state: .unusable, detail: "why")
            }
        }
        #expect(
            problems.map(\.remedy) == [
                "paraph accounts remove --config paraph.yaml x/a   # \(sequel)",
                "paraph accounts show --config paraph.yaml x/b",
            ]
        )
    }

    @Test("A local CA that was renewed already is taken by a reload")
    func renewedAuthority() {
        for isRenewed in [false, true] {
            let problems = Self.problems(authorityIsRenewed: isRenewed, reach: ["it does not reach x"])
            let command = isRenewed ? "pkill -HUP -x paraph " : "paraph ca renew "
            #expect(problems.map(\.kind) == [.authorityReach])
            #expect(problems.first?.remedy.hasPrefix(command) == true)
        }
    }

    private static let day: TimeInterval = 86_400

    @Test(
        "What ends within 14 days, and what has ended",
        arguments: [(14.01, nil), (13.99, .warning), (0.5, .warning), (0, .error), (-1, .error)]
            as [(Double, StatusProblem.Severity?)]
    )
    func expiry(days: Double, severity: StatusProblem.Severity?) {
        let time = ServiceStatus.sampleTime + days * Self.day
        let problems = Self.problems {
            $0.authority.expires = time
            $0.listeners[0].certificateExpires = time
            $0.apis[0].clientCertificateExpires = time
        }
        let kinds: [StatusProblem.Kind] = [
            .authorityExpires, .listenerCertificateExpires, .clientCertificateExpires,
        ]
        #expect(problems.map(\.kind) == (severity == nil ? [] : kinds))
        #expect(problems.allSatisfy { $0.severity == severity })
    }

    @Test(
        "Pins that expire, and what that means",
        arguments: [
            ("refuse", "report", 1, "expire on 2027-01-16T08:00:00Z: servers without a pin are used then"),
            ("refuse", "report", -1, "have expired on 2027-01-14T08:00:00Z: servers without a pin are used"),
            (
                "refuse", "refuse", -1,
                "have expired on 2027-01-14T08:00:00Z: servers without a pin are refused as before"
            ),
        ]
    )
    func pins(onFailure: String, onExpiry: String, days: Double, words: String) {
        let problems = Self.problems {
            $0.apis[0].pins = [
                PinStatus(
                    hosts: ["api.twitter.com"],
                    mode: "public_key",
                    count: 2,
                    onFailure: onFailure,
                    expires: ServiceStatus.sampleTime + days * Self.day,
                    onExpiry: onExpiry
                )
            ]
        }
        #expect(problems.map(\.kind) == [.pinsExpire])
        #expect(problems[0].severity == .warning)
        #expect(problems[0].message == "the pins of apis.twitter for api.twitter.com \(words)")
    }

    @Test("Hosts without a backup pin, and clocks that are apart")
    func upstreams() {
        let problems = Self.problems {
            $0.apis[0].hostsWithoutBackupPin = ["api.twitter.com:443"]
            $0.apis[0].clock = ClockStatus(follows: true, offsetSeconds: -31)
        }
        #expect(problems.map(\.kind) == [.noBackupPin, .clockApart])
        #expect(problems[1].message.contains("31 s behind"))
    }

    @Test("The reach of the local CA", arguments: [true, false])
    func reach(isParaphs: Bool) {
        let problems = Self.problems(authorityIsParaphs: isParaphs, reach: ["it does not reach x"])
        #expect(problems.map(\.kind) == [.authorityReach])
        #expect(problems[0].remedy.hasPrefix("paraph ca renew") == isParaphs)
    }

    @Test(
        "What is used up, or nearly",
        arguments: [(89, nil), (90, .warning), (99, .warning), (100, .error)]
            as [(Int, StatusProblem.Severity?)]
    )
    func usage(used: Int, severity: StatusProblem.Severity?) {
        let amount = UsageStatus.Amount(used: used, limit: 100)
        let problems = Self.problems {
            $0.usage.clientConnections = amount
            $0.usage.openConnections = amount
            $0.usage.heldBytes = amount
        }
        #expect(problems.count == (severity == nil ? 0 : 3))
        #expect(problems.allSatisfy { $0.severity == severity })
    }

    @Test("Too few files, and log lines that were lost")
    func warnings() {
        let problems = Self.problems(filesWarning: "too few", hasJustLostLines: true) {
            $0.usage.droppedLogLines = 7
        }
        #expect(problems.map(\.kind) == [.filesTooFew, .logLinesDropped])
        #expect(problems[1].message.contains("7 since the start"))
    }

    @Test("Errors come first, and of many of a kind a few, with the number of the others")
    func many() {
        let problems = Self.problems(hasJustLostLines: true) {
            $0.accounts = (0..<8).map {
                AccountStatus(api: $0 < 7 ? "x" : "y", account: "\($0)", source: .threeLegged, state: .needsLogin)
            }
        }
        #expect(problems.map(\.account) == ["0", "1", "2", "3", "4", nil, "7", nil])
        #expect(problems[5].message == "so it is with 2 more of apis.x")
        #expect(problems.last?.kind == .logLinesDropped)
    }

    // MARK: Upstreams

    private static func trouble(_ kind: UpstreamTrouble.Kind) -> UpstreamTrouble {
        UpstreamTrouble(kind, at: "api.twitter.com:443", time: 1_799_999_940, "It \u{1B}failed.")
    }

    @Test(
        "Hosts that could not be reached, and pins that only report",
        arguments: UpstreamTrouble.Kind.allCases
    )
    func upstream(kind: UpstreamTrouble.Kind) {
        let problems = Self.problems(health: [
            "twitter": HealthOfAPI(troubles: [Self.trouble(kind)]), "old": HealthOfAPI(),
        ])
        #expect(problems.count == 1)
        #expect(problems.first?.kind.rawValue == (kind == .unreachable ? "upstream_unreachable" : kind.rawValue))
        #expect(problems.first?.severity == (kind == .pinsReported ? .warning : .error))
        #expect(problems.first?.api == "twitter")
        #expect(problems.first?.message.contains("2027-01-15T07:59:00Z") == true)
        #expect(problems.first?.message.hasSuffix(": It failed.") == true)
    }

    @Test("What an API had that the configuration has no more is not told")
    func formerAPI() {
        #expect(Self.problems(health: ["former": HealthOfAPI(troubles: [Self.trouble(.unreachable)])]).isEmpty)
    }

    @Test("Accounts that the provider refused, as long as they are there")
    func refusals() {
        let refusals = ["default", "gone"].map {
            RefusalTrouble(of: $0, time: 1_799_999_940, status: 401, "Token refused.")
        }
        let problems = Self.problems(health: ["twitter": HealthOfAPI(refusals: refusals)]) { $0.accountsLeftOut = 0 }
        #expect(
            problems == [
                StatusProblem(
                    .error,
                    .providerRefuses,
                    api: "twitter",
                    account: "default",
                    "the provider refused the last request of account twitter/default, with status 401 at "
                        + "2027-01-15T07:59:00Z: Token refused.",
                    remedy: "see to what the sentence above says; the account's next request that succeeds ends this"
                )
            ]
        )
    }

    @Test("The findings of paraph check, but for those that are told already")
    func advice() {
        let place = SourcePosition(line: 3, column: 5)
        let advice = [
            Advice(.warning, at: place, "apis.twitter.upstream is http"),
            Advice(.error, at: place, "listen.proxy.certificate expired on 2027-01-15T07:59:00Z"),
            Advice(.warning, at: place, "apis.twitter.tls.pinning.expires is tomorrow"),
        ]
        let whole = Self.problems(advice: advice)
        #expect(whole.map(\.kind) == [.configuration, .configuration, .configuration])
        #expect(whole.map(\.severity) == [.error, .warning, .warning])
        #expect(whole[1].message == "paraph.yaml:3:5: apis.twitter.upstream is http")
        let told = Self.problems(advice: advice) {
            $0.listeners[0].certificateExpires = ServiceStatus.sampleTime
            $0.apis[0].pins[0].expires = ServiceStatus.sampleTime
        }
        #expect(told.map(\.kind) == [.listenerCertificateExpires, .pinsExpire, .configuration])
    }
}
