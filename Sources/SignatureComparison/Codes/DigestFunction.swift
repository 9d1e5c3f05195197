import Crypto

/// The hash functions that signers take for one another.
enum DigestFunction: CaseIterable, Sendable {
    case sha1
    case sha256
    case sha512
    case sha384
    case sha224
    case md5
    case sha3With256Bits
    case sha3With384Bits
    case sha3With512Bits

    var name: String {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        case .sha384: "SHA384"
        case .sha224: "SHA224"
        case .md5: "MD5"
        case .sha3With256Bits: "SHA3-256"
        case .sha3With384Bits: "SHA3-384"
        case .sha3With512Bits: "SHA3-512"
        }
    }

    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256, .sha3With256Bits: 32
        case .sha512, .sha3With512Bits: 64
        case .sha384, .sha3With384Bits: 48
        case .sha224: 28
        case .md5: 16
        }
    }

    /// The number of bytes that are taken in at once, on which an HMAC depends.
    var blockByteCount: Int {
        switch self {
        case .sha1, .sha256, .sha224, .md5: 64
        case .sha512, .sha384: 128
        case .sha3With256Bits: 136
        case .sha3With384Bits: 104
        case .sha3With512Bits: 72
        }
    }

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha224: SHA224.hash(bytes)
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha3With256Bits: Array(SHA3_256.hash(data: bytes))
        case .sha3With384Bits: Array(SHA3_384.hash(data: bytes))
        case .sha3With512Bits: Array(SHA3_512.hash(data: bytes))
        }
    }

    /// RFC 2104.
    func code(key: [UInt8], text: [UInt8]) -> [UInt8] {
        var block = key.count > blockByteCount ? hash(key) : key
        block += repeatElement(0, count: blockByteCount - block.count)
        return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + text))
    }

    /// The DER before a hash in an RSA signature (RFC 8017, section 9.2, note 1).
    var digestInfo: [UInt8] {
        switch self {
        case .sha1: [0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14]
        case .md5:
            [
                0x30, 0x20, 0x30, 0x0c, 0x06, 0x08, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05, 0x05, 0x00, 0x04,
                0x10,
            ]
        case .sha256: nistInfo(1)
        case .sha384: nistInfo(2)
        case .sha512: nistInfo(3)
        case .sha224: nistInfo(4)
        case .sha3With256Bits: nistInfo(8)
        case .sha3With384Bits: nistInfo(9)
        case .sha3With512Bits: nistInfo(10)
        }
    }

    /// - Parameter number: The last arc of the hash's object identifier.
    private func nistInfo(_ number: UInt8) -> [UInt8] {
        let count = UInt8(byteCount)
        return [0x30, 17 + count, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number, 0x05]
            + [0x00, 0x04, count]
    }
}
