import Crypto
import FoundationEssentials
import Testing
import UpstreamTrust
import X509

@Suite struct SameOrganizationRootsTests {
    private func root(
        _ organization: String?,
        from start: TimeInterval = -100,
        to end: TimeInterval = 100,
        key: Certificate.PrivateKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    ) throws -> Certificate {
        let name = try DistinguishedName {
            if let organization { OrganizationName(organization) }
            CommonName("\(start)")
        }
        return try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: TestCertificates.now + start,
            notValidAfter: TestCertificates.now + end,
            issuer: name,
            subject: name,
            extensions: .init(),
            issuerPrivateKey: key
        )
    }

    @Test("The other valid roots of a path's organization are found, the newest first")
    func theOtherRootsOfTheSameOrganizationAreFoundNewestFirst() throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let own = try root("One", key: key)
        let again = try root("One", from: -50, key: key)
        let older = try root("One", from: -90)
        let newer = try root("One", from: -10)
        let others = try [
            root("Two"), root(nil), root("One", to: -1), root("One", from: 1),
        ]
        let trust = TrustRoots.certificates([again, older, own] + others + [newer, newer])
        #expect(trust.rootsOfSameOrganization(asPath: [own], at: TestCertificates.now) == [newer, older])
        #expect(trust.rootsOfSameOrganization(asPath: [older, own], at: TestCertificates.now) == [newer])
    }

    @Test("A root without an organization has no others of its organization")
    func aRootWithoutAnOrganizationHasNone() throws {
        let own = try root(nil)
        let trust = TrustRoots.certificates([own, try root(nil, from: -10), try root("", from: -20)])
        #expect(trust.rootsOfSameOrganization(asPath: [own], at: TestCertificates.now) == [])
        #expect(trust.rootsOfSameOrganization(asPath: [], at: TestCertificates.now) == [])
    }
}
