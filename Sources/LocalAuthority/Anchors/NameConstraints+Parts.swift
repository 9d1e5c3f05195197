import X509

extension NameConstraints {
    /// Several that together permit what this one does, so that one of them is short however many hosts there are. Only
    /// itself where it permits few. What it excludes, and the subjects that it permits, is in each of them.
    ///
    /// - Parameter count: How many names and addresses each of them permits at most, but for one name that comes on
    ///   top.
    func parts(of count: Int) -> [NameConstraints] {
        let hosts = self.permittedSubtrees.filter { $0.domain != nil || $0.addresses != nil }
        guard hosts.count > count else { return [self] }
        let others = self.permittedSubtrees.filter { $0.domain == nil && $0.addresses == nil }
        return stride(from: 0, to: hosts.count, by: count)
            .map { start in
                let part = Array(hosts[start..<min(start + count, hosts.count)])
                return NameConstraints(
                    permittedSubtrees: others + part + domainInstead(of: part),
                    excludedSubtrees: self.excludedSubtrees + addressesRuledOut(of: part)
                )
            }
    }

    /// A kind of name that is not constrained is free: where this one confines the domains, a part without any has to
    /// as well, and a domain of another part does it.
    private func domainInstead(of part: [GeneralName]) -> [GeneralName] {
        part.contains { $0.domain != nil } ? [] : permittedSubtrees.first { $0.domain != nil }.map { [$0] } ?? []
    }

    private func addressesRuledOut(of part: [GeneralName]) -> [GeneralName] {
        guard permittedSubtrees.contains(where: { $0.addresses != nil }) else { return [] }
        return [4, 16]
            .filter { count in !part.contains { $0.addresses?.base.count == count } }
            .map { .ipAddress(AddressSubtree(everyAddressOf: $0).bytes) }
            .filter { !excludedSubtrees.contains($0) }
    }
}
