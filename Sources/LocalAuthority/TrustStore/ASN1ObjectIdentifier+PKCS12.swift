import SwiftASN1

extension ASN1ObjectIdentifier {
    enum PKCS12 {
        /// RFC 5652.
        static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
        /// RFC 7292, section 4.2.3.
        static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
        /// PKCS#9, RFC 2985.
        static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
        static let friendlyName: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 20]
        /// Oracle's own: what the certificate is trusted for.
        static let trustedKeyUsage: ASN1ObjectIdentifier = [2, 16, 840, 1, 113_894, 746_875, 1, 1]
        /// RFC 5280, section 4.2.1.12.
        static let anyExtendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37, 0]
        static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    }
}
