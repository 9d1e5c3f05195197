import FoundationEssentials
import LocalAuthority
import Testing
import UpstreamTrust
import X509

@Suite struct LocalAuthorityTests {
    @Test func aLeafMadeByANewAuthorityIsAcceptedByAVerifierThatTrustsIt() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "paraph-\(UInt64.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(at: directory) }
        let now = Date(timeIntervalSince1970: 1_780_000_000)
        let authority = try LocalAuthority.loadOrCreate(
            certificatePath: directory.appending(path: "ca.pem").path,
            keyPath: directory.appending(path: "ca.key").path,
            now: now
        )
        let name = ServerName(host: "api.example.com")
        let leaf = try authority.leaf(for: name, now: now)
        let roots = try PEMCertificates.parse(authority.certificatePEM)
        let verifier = ChainVerifier(policy: TLSPolicy(trust: .certificates(roots)))
        let path = try await verifier.verify(presentedDER: leaf.chainDER, serverName: name, at: now).get()
        #expect(path.count == 2)
    }
}
