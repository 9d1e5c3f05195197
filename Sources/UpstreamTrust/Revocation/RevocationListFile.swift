import SwiftASN1

/// Revocation lists from a file: one in DER, or any number of `X509 CRL` blocks in PEM (RFC 7468, section 6).
package enum RevocationListFile {
    /// - Throws: The fault of the bytes, also when there is no list at all.
    package static func parse(_ bytes: [UInt8]) throws(RevocationListError) -> [RevocationList] {
        // A DER sequence starts with a byte that no PEM file starts with: ASCII's zero, whose length follows.
        if bytes.first == 0x30 { return [try RevocationList(der: bytes)] }
        guard let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self)) else {
            throw .malformed
        }
        if documents.isEmpty { throw .noList }
        var lists: [RevocationList] = []
        for document in documents {
            guard document.discriminator == "X509 CRL" else { throw .otherBlock(kind: document.discriminator) }
            lists.append(try RevocationList(der: document.derBytes))
        }
        return lists
    }
}
