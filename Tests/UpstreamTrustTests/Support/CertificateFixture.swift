import Foundation
import X509

/// Certificates that OpenSSL made, one for each kind of key, all for api.example.com and signed by `root`; and their
/// pins as OpenSSL computed them (`pins.tsv`).
struct CertificateFixture: Sendable, CustomStringConvertible {
    /// A time at which they are valid.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let all = Result { try read() }

    var name: String
    var publicKeyPin: String
    var certificatePin: String

    var description: String { name }

    struct Missing: Error {
        var name: String
    }

    static func text(_ name: String) throws -> String {
        guard let file = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil) else {
            throw Missing(name: name)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }

    static func contents(_ name: String) throws -> [UInt8] {
        guard let file = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil) else {
            throw Missing(name: name)
        }
        return Array(try Data(contentsOf: file))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        let base64 = try text(name + ".pem").split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        guard let data = Data(base64Encoded: base64) else { throw Missing(name: name) }
        return Array(data)
    }

    private static func read() throws -> [String: CertificateFixture] {
        var fixtures: [String: CertificateFixture] = [:]
        for line in try text("pins.tsv").split(separator: "\n") {
            let columns = line.split(separator: "\t").map { String($0) }
            guard columns.count == 3 else { throw Missing(name: String(line)) }
            fixtures[columns[0]] = CertificateFixture(
                name: columns[0],
                publicKeyPin: columns[1],
                certificatePin: columns[2]
            )
        }
        return fixtures
    }
}
