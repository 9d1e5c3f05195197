/// The fault of a PEM file of certificates. Lines count from 1.
package enum PEMError: Error, Equatable, Sendable {
    case noCertificate
    case otherBlock(line: Int, kind: String)
    case unfinished(line: Int)
    case endWithoutBegin(line: Int)
    case notBase64(line: Int)
    case notACertificate(line: Int, problem: String)

    package var label: String {
        switch self {
        case .noCertificate: "pem_no_certificate"
        case .otherBlock: "pem_other_block"
        case .unfinished: "pem_unfinished"
        case .endWithoutBegin: "pem_end_without_begin"
        case .notBase64: "pem_not_base64"
        case .notACertificate: "pem_not_a_certificate"
        }
    }
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
