import SwiftASN1

/// One trusted certificate: a SafeBag of the type certBag (RFC 7292, section 4.2.3) with a name and what makes Java
/// trust it.
struct PKCS12CertificateBag: DERSerializable {
    let alias: String
    let certificateDER: [UInt8]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { bag in
            try bag.serialize(ASN1ObjectIdentifier.PKCS12.certificateBag)
            try bag.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { value in
                try value.appendConstructedNode(identifier: .sequence) { certificate in
                    try certificate.serialize(ASN1ObjectIdentifier.PKCS12.x509Certificate)
                    try certificate.serialize(
                        ASN1OctetString(contentBytes: certificateDER[...]),
                        explicitlyTaggedWithTagNumber: 0,
                        tagClass: .contextSpecific
                    )
                }
            }
            try bag.serializeSetOf([
                Attribute(type: .PKCS12.friendlyName, value: .name(alias)),
                Attribute(type: .PKCS12.trustedKeyUsage, value: .usage(.PKCS12.anyExtendedKeyUsage)),
            ])
        }
    }

    private struct Attribute: DERSerializable {
        enum Value {
            case name(String)
            case usage(ASN1ObjectIdentifier)
        }

        let type: ASN1ObjectIdentifier
        let value: Value

        func serialize(into coder: inout DER.Serializer) throws {
            try coder.appendConstructedNode(identifier: .sequence) { attribute in
                try attribute.serialize(type)
                try attribute.appendConstructedNode(identifier: .set) { values in
                    switch value {
                    case .name(let name):
                        try values.serialize(ASN1BMPString(contentBytes: PKCS12Text.bytes(name)[...]))
                    case .usage(let usage):
                        try values.serialize(usage)
                    }
                }
            }
        }
    }
}

/// The BMPString that PKCS#12 writes names and passwords in: UTF-16, the high byte first.
enum PKCS12Text {
    static func bytes(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
