import Bytes
import Files
import FoundationEssentials
import UpstreamTrust
import X509

extension TLSIdentity {
    /// A certificate, with what leads to its root, and its key, two PEM files; `nil` when there are none, or a mistake
    /// was reported.
    ///
    /// - Parameter names: Their keys in the section.
    static func read(
        certificate: Value?,
        key: Value?,
        of section: Section,
        names: (certificate: String, key: String)
    ) -> TLSIdentity? {
        let certificate = certificate.flatMap { $0.isNull ? nil : $0 }
        let key = key.flatMap { $0.isNull ? nil : $0 }
        guard let certificate, let key else {
            if certificate != nil { section.value.reportAtKey("lacks \(names.key) beside \(names.certificate)") }
            if key != nil { section.value.reportAtKey("lacks \(names.certificate) beside \(names.key)") }
            return nil
        }
        let chain = certificate.certificates()
        guard let privateKey = key.privateKey(), let chain, let leaf = chain.first else { return nil }
        guard leaf.publicKey == privateKey.publicKey else {
            key.report(
                chain.contains { $0.publicKey == privateKey.publicKey }
                    ? "is the key of a certificate that is not the first in \(names.certificate); put that one first"
                    : "is not the key of the certificate in \(names.certificate)"
            )
            return nil
        }
        certificate.adviseOnValidity(of: leaf)
        return TLSIdentity(chain: chain, key: privateKey)
    }
}

extension Value {
    /// The time before a certificate's end in which it is told, where that is less than a third of its whole time: what
    /// is renewed each day is not late.
    private static let timeToRenew = TimeInterval(14 * 86_400)

    /// Advises on a certificate that is of no use at this time, or soon.
    fileprivate func adviseOnValidity(of certificate: Certificate) {
        let (begin, end) = (certificate.notValidBefore, certificate.notValidAfter)
        let left = end.timeIntervalSince(context.now)
        if left < 0 {
            advise(
                .error,
                "expired on \(UTCText.format(end)); whoever is shown it refuses it: put a renewed one in its place"
            )
        } else if begin > context.now {
            advise(
                .error,
                "is not valid before \(UTCText.format(begin)); whoever is shown it refuses it: is this machine's clock right?"
            )
        } else if left < min(Self.timeToRenew, end.timeIntervalSince(begin) / 3) {
            advise(
                .warning,
                "expires on \(UTCText.format(end)), after which whoever is shown it refuses it: put a renewed one in its place"
            )
        }
    }

    /// The private key of a PEM file that its owner alone may read.
    fileprivate func privateKey() -> Certificate.PrivateKey? {
        guard let name = word() else { return nil }
        let path = context.resolve(name)
        let shownName = ShownName.file(name, resolved: path)
        guard var bytes = bytes(ofFile: path, shownAs: shownName) else { return nil }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        if let exposure = FileContents.rights(path)?.exposure {
            report("names \(shownName), which \(exposure.problem); \(exposure.remedy(shellQuoted(path)))")
            return nil
        }
        // What X509 says of a key that it cannot read may quote it.
        guard let key = try? Certificate.PrivateKey(pemEncoded: String(decoding: bytes, as: UTF8.self)) else {
            report(
                "names \(shownName), which holds no private key that can be used: PEM (PKCS#1, PKCS#8 or SEC 1), not "
                    + "encrypted; RSA of at least 2048 bits, P-256, P-384, P-521 or Ed25519"
            )
            return nil
        }
        return key
    }
}
