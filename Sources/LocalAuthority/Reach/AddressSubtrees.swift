import SwiftASN1
import UpstreamTrust

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

/// An iPAddress constraint (RFC 5280, section 4.2.1.10): an address and a mask of as many bytes.
struct AddressSubtree: Sendable {
    let base: [UInt8]
    let mask: [UInt8]

    /// One address.
    init(only address: [UInt8]) {
        base = address
        mask = [UInt8](repeating: 0xFF, count: address.count)
    }

    /// Every address of 4 or of 16 bytes.
    init(everyAddressOf count: Int) {
        base = [UInt8](repeating: 0, count: count)
        mask = base
    }

    /// Reads the bytes of a constraint; nil when they are not 8 or 32.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 8 || bytes.count == 32 else { return nil }
        base = Array(bytes.prefix(bytes.count / 2))
        mask = Array(bytes.suffix(bytes.count / 2))
    }

    var bytes: ASN1OctetString { ASN1OctetString(contentBytes: (base + mask)[...]) }

    var isOneAddress: Bool { mask.allSatisfy { $0 == 0xFF } }

    func contains(_ address: [UInt8]) -> Bool {
        address.count == base.count
            && zip(zip(address, base), mask).allSatisfy { pair, mask in pair.0 & mask == pair.1 & mask }
    }
}

extension AddressSubtree: CustomStringConvertible {
    /// The address, with the length of the mask after it where it is of more than one.
    var description: String {
        let address = ServerName.ip(base).text
        let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        return length == base.count * 8 ? address : "\(address)/\(length)"
    }
}
