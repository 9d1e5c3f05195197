import X509

/// The presented certificates as the store of intermediates, within a budget for one search.
struct PresentedIssuers: CustomCertificateStore {
    private var certificates: [DistinguishedName: [Certificate]] = [:]
    private let budget: SearchBudget

    init(_ certificates: some Sequence<Certificate>, budget: SearchBudget) {
        self.budget = budget
        self.append(contentsOf: certificates)
    }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard let found = self.certificates[subject] else { return nil }
            return Array(found.prefix(self.budget.take(found.count)))
        }
    }

    func contains(_ certificate: Certificate) async -> Bool {
        self.certificates[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates where self.certificates[certificate.subject]?.contains(certificate) != true {
            self.certificates[certificate.subject, default: []].append(certificate)
        }
    }
}

extension PresentedIssuers: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        left.certificates == right.certificates && left.budget === right.budget
    }

    func hash(into hasher: inout Hasher) { hasher.combine(self.certificates) }
}
