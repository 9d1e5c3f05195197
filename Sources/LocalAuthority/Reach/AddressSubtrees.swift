/// iPAddress constraints. A question costs one look-up and a comparison with each that is of more than one address.
struct AddressSubtrees: Sendable {
    private let addresses: Set<[UInt8]>
    private let ranges: [AddressSubtree]

    init(_ subtrees: some Sequence<AddressSubtree>) {
        var addresses: Set<[UInt8]> = []
        var ranges: [AddressSubtree] = []
        for subtree in subtrees {
            if subtree.isOneAddress {
                addresses.insert(subtree.base)
            } else {
                ranges.append(subtree)
            }
        }
        self.addresses = addresses
        self.ranges = ranges
    }

    var isEmpty: Bool { addresses.isEmpty && ranges.isEmpty }

    /// - Parameter address: 4 or 16 bytes, in network order.
    func contains(_ address: [UInt8]) -> Bool {
        addresses.contains(address) || ranges.contains { $0.contains(address) }
    }
}
