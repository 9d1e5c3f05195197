import Foundation
import LocalAuthority
import ParaphConfiguration
import Routing
import TestSupport
import Testing

@testable import paraph

@Suite("The doctor's findings on the state")
struct StateExaminationTests {
    @Test("A local CA that does not reach a configured host fails", arguments: ["a.example", "b.example"])
    func reach(host: String) throws {
        let directory = try TestDirectory()
        let file = try directory.write(
            """
            apis:
              t:
                hosts: [a.example]
                oauth1: {consumer_key: k, consumer_secret: s}
                accounts: {default: {token: t, token_secret: s}}
            """,
            to: "paraph.yaml"
        )
        let configuration = try Configuration.load(path: file, environment: [:])
        let files = configuration.authority
        try FileManager.default.createDirectory(atPath: directory("state"), withIntermediateDirectories: true)
        _ = try LocalAuthority.loadOrCreate(
            certificatePath: files.certificate,
            keyPath: files.privateKey,
            reach: AuthorityReach(hosts: [try HostPattern(host)]),
            now: Date()
        )
        let findings = StateExamination(configuration: configuration).authorityFindings().filter {
            $0.subject == "local CA"
        }
        #expect(findings.map(\.verdict) == [host == "a.example" ? .works : .fails])
    }
}
