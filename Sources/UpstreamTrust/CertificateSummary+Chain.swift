package import X509

extension CertificateSummary {
    /// What a server presented, told in the order of an accepted path and with its root.
    package static func all(of presentedDER: [[UInt8]], path: [Certificate]) -> [CertificateSummary] {
        all(of: ChainVerifier.seen(presentedDER).map { PresentedCertificate(bytes: $0) }, path: path)
    }

    /// What a server presented, in the order of the path as far as there is one.
    static func all(of presented: [PresentedCertificate], path: [Certificate]) -> [CertificateSummary] {
        var rest = presented
        var summaries: [CertificateSummary] = []
        for (position, certificate) in path.enumerated() {
            let index = rest.firstIndex { $0.certificate == certificate }
            let role: Role = position == 0 ? .leaf : position == path.count - 1 ? .root : .intermediate
            summaries.append(
                CertificateSummary(
                    index.map { rest.remove(at: $0) } ?? PresentedCertificate(certificate),
                    role: role,
                    isPresented: index != nil
                )
            )
        }
        for (position, certificate) in rest.enumerated() {
            let role: Role =
                if !path.isEmpty { .notOnPath } else if position == 0 { .leaf } else { certificate.apparentRole }
            summaries.append(CertificateSummary(certificate, role: role))
        }
        return summaries
    }
}

extension PresentedCertificate {
    /// What it seems to be when no path tells.
    fileprivate var apparentRole: CertificateSummary.Role {
        guard let certificate else { return .unreadable }
        return certificate.subject == certificate.issuer ? .root : .intermediate
    }
}
