import SwiftASN1

/// A ContentInfo of the type data (RFC 5652, section 3): the bytes as they are.
struct PKCS12ContentInfo: DERSerializable {
    let bytes: [UInt8]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { content in
            try content.serialize(ASN1ObjectIdentifier.PKCS12.data)
            try content.serialize(
                ASN1OctetString(contentBytes: bytes[...]),
                explicitlyTaggedWithTagNumber: 0,
                tagClass: .contextSpecific
            )
        }
    }
}
