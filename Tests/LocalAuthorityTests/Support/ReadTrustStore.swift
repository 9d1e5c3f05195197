import Foundation
import SwiftASN1

/// The contents of a PKCS#12 truststore, read without the code that writes it.
struct ReadTrustStore {
    var aliases: [String] = []
    var certificates: [[UInt8]] = []
    /// The DER of what each certificate is trusted for.
    var usages: [[UInt8]] = []
    var contents: [UInt8] = []
    var digest: [UInt8] = []
    var salt: [UInt8] = []
    var iterations = 0

    init(_ bytes: [UInt8]) throws {
        let file = try DER.parse(bytes).children
        contents = try file[1].children[1].children[0].bytes
        let mac = try file[2].children
        digest = try mac[0].children[1].bytes
        salt = try mac[1].bytes
        iterations = try Int(derEncoded: mac[2])
        let safe = try DER.parse(contents).children
        let bags = try DER.parse(safe[0].children[1].children[0].bytes).children
        for bag in bags {
            let parts = try bag.children
            certificates.append(try parts[1].children[0].children[1].children[0].bytes)
            for attribute in try parts[2].children {
                let value = try attribute.children[1].children[0]
                if value.identifier == .bmpString {
                    let bytes = try value.bytes
                    aliases.append(String(data: Data(bytes), encoding: .utf16BigEndian) ?? "")
                } else {
                    usages.append(Array(value.encodedBytes))
                }
            }
        }
    }
}

extension ASN1Node {
    fileprivate struct WrongKind: Error {}

    fileprivate var children: [ASN1Node] {
        get throws {
            guard case .constructed(let nodes) = content else { throw WrongKind() }
            return Array(nodes)
        }
    }

    fileprivate var bytes: [UInt8] {
        get throws {
            guard case .primitive(let bytes) = content else { throw WrongKind() }
            return Array(bytes)
        }
    }
}
