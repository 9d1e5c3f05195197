package import Bytes
package import X509

extension PrintableText {
    /// A distinguished name in the order of RFC 4514, escaped and cut; its size does not depend on who made it.
    package static func name(_ name: DistinguishedName) -> String {
        let shown = DistinguishedName(name.suffix(8))
        return shown.isEmpty ? "(empty)" : PrintableText("\(shown)", limit: 128).description
    }
}
