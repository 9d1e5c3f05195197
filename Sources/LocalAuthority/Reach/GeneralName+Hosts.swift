import SwiftASN1
import X509

extension GeneralName {
    /// As it stands in a certificate.
    var domain: String? {
        if case .dnsName(let name) = self { name } else { nil }
    }

    /// nil also for bytes that are no range of addresses.
    var addresses: AddressSubtree? {
        if case .ipAddress(let bytes) = self { AddressSubtree(bytes.bytes) } else { nil }
    }
}
