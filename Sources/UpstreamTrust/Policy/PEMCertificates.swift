import Bytes
package import X509

/// Certificates from the text of a PEM file (RFC 7468): any number of `CERTIFICATE` blocks, with any text around them.
package enum PEMCertificates {
    /// - Throws: The fault and the line of the text in which it starts; also when there is no certificate at all.
    package static func parse(_ text: String) throws(PEMError) -> [Certificate] {
        var certificates: [Certificate] = []
        var block: (line: Int, base64: [UInt8])?
        // Swift takes CR LF for one character: lines are of bytes.
        for (index, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = index + 1
            let words = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            if let kind = words.boundary("-----BEGIN ") {
                guard block == nil else { throw .unfinished(line: block?.line ?? line) }
                guard kind == "CERTIFICATE" else {
                    throw .otherBlock(line: line, kind: PrintableText(kind, limit: 40).description)
                }
                block = (line, [])
            } else if let kind = words.boundary("-----END ") {
                guard let finished = block else { throw .endWithoutBegin(line: line) }
                guard kind == "CERTIFICATE" else { throw .unfinished(line: finished.line) }
                certificates.append(try certificate(base64: finished.base64, line: finished.line))
                block = nil
            } else {
                block?.base64 += words.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            }
        }
        if let block { throw .unfinished(line: block.line) }
        guard !certificates.isEmpty else { throw .noCertificate }
        return certificates
    }

    private static func certificate(base64: [UInt8], line: Int) throws(PEMError) -> Certificate {
        guard let bytes = Base64.decode(base64.span), !bytes.isEmpty else { throw .notBase64(line: line) }
        let read = PresentedCertificate(bytes: bytes)
        if let certificate = read.certificate { return certificate }
        switch read.flaw {
        case .weakKey(let problem), .unreadable(let problem): throw .notACertificate(line: line, problem: problem)
        case nil: throw .notACertificate(line: line, problem: "it is empty")
        }
    }
}

extension String {
    /// The label of a line such as `-----BEGIN CERTIFICATE-----`.
    fileprivate func boundary(_ start: String) -> String? {
        let line = utf8
        guard hasPrefix(start), let end = range(ofLast: "-----", after: start) else { return nil }
        return String(decoding: line[end], as: UTF8.self)
    }

    private func range(ofLast dashes: String, after start: String) -> Range<String.Index>? {
        var text = self[...]
        while text.last == " " || text.last == "\t" { text.removeLast() }
        let first = index(startIndex, offsetBy: start.count)
        guard text.count >= start.count + dashes.count, text.hasSuffix(dashes) else { return nil }
        return first..<index(text.endIndex, offsetBy: -dashes.count)
    }
}

/// The fault of a PEM file of certificates. Lines count from 1.
package enum PEMError: Error, Equatable, Sendable {
    case noCertificate
    case otherBlock(line: Int, kind: String)
    case unfinished(line: Int)
    case endWithoutBegin(line: Int)
    case notBase64(line: Int)
    case notACertificate(line: Int, problem: String)
}

extension PEMError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noCertificate:
            "there is no certificate in it (a block from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----)"
        case .otherBlock(let line, let kind):
            "line \(line) starts a block of the kind \(kind); only CERTIFICATE blocks belong here"
        case .unfinished(let line):
            "the certificate that starts in line \(line) has no -----END CERTIFICATE-----"
        case .endWithoutBegin(let line):
            "line \(line) ends a block that was not begun"
        case .notBase64(let line):
            "the certificate that starts in line \(line) is not base64"
        case .notACertificate(let line, let problem):
            "the certificate that starts in line \(line) cannot be read: \(problem)"
        }
    }
}
