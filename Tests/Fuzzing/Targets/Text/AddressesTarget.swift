import Bytes
import Glibc

@testable import Routing

/// IP addresses and authorities: what is taken for an address is what `inet_pton` takes for one, with the same bytes;
/// and what is printed is read as the same again.
///
/// The input is the text.
enum AddressesTarget: FuzzTarget {
    static let name = "addresses"

    static func check(_ input: [UInt8]) {
        let address = IPAddress(text: input.span)
        let expected = reference(input)
        require(address?.bytes == expected, "\(address?.bytes ?? []), should be \(expected ?? [])")
        if let address { require(IPAddress(address.description) == address, "printed as \(address)") }
        guard let authority = try? Authority(parsing: input.span, defaultPort: 443) else { return }
        let printed = try? Authority(parsing: authority.description, defaultPort: nil)
        require(printed == authority, "printed as \(authority)")
        let field = authority.fieldValue(defaultPort: 443)
        require((try? Authority(parsing: field, defaultPort: 443)) == authority, "printed as \(field)")
        require(field.utf8.allSatisfy { 0x21..<0x7F ~= $0 }, "printed as \(field)")
    }

    private static func reference(_ input: [UInt8]) -> [UInt8]? {
        guard !input.contains(0) else { return nil }
        let text = input.map { CChar(bitPattern: $0) } + [0]
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
