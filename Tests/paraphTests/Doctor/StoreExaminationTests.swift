import Bytes
import CredentialStores
import Credentials
import Settings
import Testing

@testable import Routing
@testable import paraph

@Suite("The doctor's findings on the servers of etcd")
struct StoreExaminationTests {
    private static let failing = EtcdServerReport.Answer.fails(reason: "connection refused")

    private static func answering(hasLeader: Bool = true, faults: [String] = []) -> EtcdServerReport.Answer {
        .answers(version: "3.4.30", hasLeader: hasLeader, faults: faults)
    }

    private static func findings(_ answers: EtcdServerReport.Answer...) -> [Finding] {
        StoreExamination.findings(
            answers.enumerated().map { number, answer in
                EtcdServerReport(
                    endpoint: EtcdEndpoint(
                        scheme: number == 0 ? .https : .http,
                        authority: Authority(canonicalHost: "e\(number)", port: 2379)
                    ),
                    answer: answer
                )
            }
        )
    }

    @Test("Each says its version, and whether it is reached by TLS")
    func works() {
        let findings = Self.findings(Self.answering(), Self.answering())
        #expect(findings.map(\.verdict) == [.works, .works])
        #expect(
            findings.map(\.words) == [
                "https://e0:2379 answers by TLS, version 3.4.30", "http://e1:2379 answers, version 3.4.30",
            ]
        )
    }

    @Test("One that is of no use is noted as long as another one is, and fails when none is")
    func useless() {
        #expect(Self.findings(Self.answering(), Self.failing).map(\.verdict) == [.works, .warns])
        #expect(Self.findings(Self.answering(hasLeader: false), Self.answering()).map(\.verdict) == [.warns, .works])
        let findings = Self.findings(Self.failing, Self.answering(hasLeader: false))
        #expect(findings.map(\.verdict) == [.fails, .fails])
        #expect(findings[0].words == "https://e0:2379 does not answer: connection refused")
        #expect(findings[1].words.hasSuffix("does not reach enough of the others: they have no leader"))
        #expect(findings[1].remedies == ["etcdctl --endpoints http://e1:2379 endpoint status"])
    }

    @Test("One that refuses to answer does answer")
    func refuses() {
        let findings = Self.findings(.refuses(reason: "authentication failed"), Self.answering())
        #expect(findings.map(\.verdict) == [.warns, .works])
        #expect(findings[0].words == "https://e0:2379 refuses to answer: authentication failed")
    }

    @Test("What to do about a record that is of no use")
    func records() {
        func remedies(_ record: String, _ fault: RecordFault) -> [String] {
            StoreExamination.remedies(.recordUnusable(record: record, fault), prefix: "p/")
        }
        let sequel = "its account gets another token by itself, or logs in or is enrolled again"
        let damaged = remedies("p/credentials/a", .damaged)
        let foreign = remedies("p/credentials/a", .otherKey)
        let outdated = remedies("p/keys/next", .otherKey)
        let missing = remedies("p/names", .missing)
        #expect(damaged == ["etcdctl del p/credentials/a   # \(sequel)"])
        #expect(foreign == ["etcdctl del p/credentials/a   # if the key is lost; \(sequel)"])
        #expect(outdated == ["put the key that the other proxies have where vault.key has another one"])
        #expect(missing.isEmpty)
    }

    @Test("What a server finds wrong is told")
    func faults() {
        let findings = Self.findings(Self.answering(faults: ["alarm:NOSPACE", "y"]))
        #expect(findings.map(\.verdict) == [.warns])
        #expect(findings[0].words.hasSuffix(", and says: alarm:NOSPACE; y"))
    }
}
