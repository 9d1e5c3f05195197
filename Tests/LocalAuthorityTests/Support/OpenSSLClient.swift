import Foundation
import LocalAuthority
import SwiftASN1
import TestSupport
import UpstreamTrust
import X509

/// A client that verifies with OpenSSL's command, which shares no code with what makes the certificates. X509's own
/// verifier knows no constraints on subjects, and refuses whatever is below them.
enum OpenSSLClient {
    static func accepts(
        _ leaf: LeafCertificate,
        of host: String,
        trusting pem: String,
        at time: Date = AuthorityDirectory.now
    ) throws -> Bool {
        let directory = try TestDirectory()
        let blocks = leaf.chainDER.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString + "\n" }
        try pem.write(toFile: directory("roots.pem"), atomically: false, encoding: .utf8)
        try blocks[0].write(toFile: directory("leaf.pem"), atomically: false, encoding: .utf8)
        // OpenSSL tries one way up. Java, which several are presented for, tries all.
        let roots = try PEMCertificates.parse(pem)
        let others = try zip(leaf.chainDER, blocks).dropFirst().filter { bytes, _ in
            let issuer = try Certificate(derEncoded: bytes).issuer
            return roots.contains { $0.subject == issuer }
        }.map { $1 }.joined()
        try others.write(toFile: directory("others.pem"), atomically: false, encoding: .utf8)
        let server = ServerName(host: host)
        let nameOption = if case .ip = server { "-verify_ip" } else { "-verify_hostname" }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "openssl", "verify", "-attime", "\(Int(time.timeIntervalSince1970))", "-purpose", "sslserver",
                "-no-CApath", "-no-CAstore", "-CAfile", directory("roots.pem"), nameOption, server.text,
            ] + (others.isEmpty ? [] : ["-untrusted", directory("others.pem")]) + [directory("leaf.pem")]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try ProcessStart.alone { try process.run() }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
