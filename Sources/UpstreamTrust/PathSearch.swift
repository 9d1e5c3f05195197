import FoundationEssentials
@_spi(FixedExpiryValidationTime) import X509

/// The search for a path from a server's certificate to a trusted root, as often as it is asked for.
struct PathSearch {
    /// Issuers tried in one search.
    static let maximumTries = 100

    let leaf: Certificate
    /// What was presented beside the leaf.
    let others: [Certificate]
    let roots: CertificateStore
    /// nil: names are not compared.
    let serverName: ServerName?
    let time: Date

    enum Outcome {
        /// Leaf first, trusted root last.
        case found([Certificate])
        /// - isCut: there were more ways to combine the certificates than are tried.
        case nothing([CertificateValidationResult.PolicyFailure], isCut: Bool)
    }

    /// - Parameter pinning: nil: a path need not have a pin.
    func run(pinning: PinningPolicy?) async -> Outcome {
        let budget = SearchBudget(Self.maximumTries)
        var verifier = Verifier(rootCertificates: self.roots) {
            RFC5280Policy(fixedExpiryValidationTime: self.time)
            if let serverName {
                serverName.policy
            }
            PathRulesPolicy(serverName: self.serverName, pinning: pinning)
        }
        let issuers = CertificateStore(custom: PresentedIssuers(self.others, budget: budget))
        return switch await verifier.validate(leaf: self.leaf, intermediates: issuers) {
        case .validCertificate(let path): .found(Array(path))
        case .couldNotValidate(let failures): .nothing(failures, isCut: budget.isExceeded)
        }
    }
}

extension ServerName {
    fileprivate var policy: ServerIdentityPolicy {
        switch self {
        case .dns(let name): ServerIdentityPolicy(serverHostname: name, serverIP: nil)
        case .ip: ServerIdentityPolicy(serverHostname: nil, serverIP: self.text)
        }
    }
}
