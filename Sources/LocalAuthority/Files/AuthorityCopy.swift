import FoundationEssentials
import UpstreamTrust
import X509

/// The files of a CA, key included, byte for byte: for a place that several proxies have it from.
struct AuthorityCopy: Equatable {
    private static let version: UInt8 = 1

    /// PEM, as it stands in the certificate's file.
    let certificates: [UInt8]
    /// PEM.
    private(set) var key: [UInt8]
    /// PEM; empty where there are none.
    let anchors: [UInt8]

    init(certificates: [UInt8], key: [UInt8], anchors: [UInt8]) {
        self.certificates = certificates
        self.key = key
        self.anchors = anchors
    }

    /// - Parameter bytes: The bytes that ``encoded`` gives.
    /// - Throws: ``LocalAuthorityError/unreadableCopy``
    init(_ bytes: Data) throws(LocalAuthorityError) {
        var rest = bytes[...]
        func part() throws(LocalAuthorityError) -> [UInt8] {
            guard rest.count >= 4 else { throw .unreadableCopy }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { throw .unreadableCopy }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard rest.popFirst() == Self.version else { throw .unreadableCopy }
        self.init(certificates: try part(), key: try part(), anchors: try part())
        guard rest.isEmpty else { throw .unreadableCopy }
    }

    /// The version (1 byte: 1), then certificates, key and anchors, each with its length (4 bytes, big-endian) before
    /// it.
    var encoded: Data {
        let parts = [certificates, key, anchors]
        // Room for all of it at once: growing would leave copies of the key behind.
        var data = Data(capacity: parts.reduce(1) { $0 + 4 + $1.count })
        data.append(Self.version)
        for part in parts {
            for shift in [24, 16, 8, 0] { data.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
            data.append(contentsOf: part)
        }
        return data
    }

    /// Overwrites the key, which is no longer needed. Only of use where nothing else shares its storage.
    mutating func wipe() {
        for index in key.indices { key[index] = 0 }
    }

    /// - Parameter path: The path that the certificate is to have.
    /// - Throws: The fault of the copy.
    func certificate(path: String) throws(LocalAuthorityError) -> AuthorityCertificate {
        let certificate = try AuthorityFiles.certificate(certificates, path: path)
        guard let key = try? Certificate.PrivateKey(pemEncoded: String(decoding: key, as: UTF8.self)),
            key.publicKey == certificate.x509.publicKey
        else { throw .unreadableCopy }
        return certificate
    }
}
