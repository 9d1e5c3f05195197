import Bytes
import Crypto

/// HMAC (RFC 2104) with a key that is hashed once: both hashes have taken in their padded key and are copied for each
/// message.
///
/// swift-crypto's own `HMAC` can be copied like that too, but takes messages only as `DataProtocol` and, being
/// generic, through metadata that is looked up at each step: measured with SHA-1 and 424 bytes, 760 ns against 470 ns
/// for the same result.
struct PreparedHMAC<Hash: HashFunction>: Sendable {
    private let inner: Hash
    private let outer: Hash

    init(key: Secret) {
        var block = key.withBytes { key in
            // A key longer than a block is replaced by its hash (RFC 2104, section 2).
            guard key.count > Hash.blockByteCount else { return key.array }
            var hash = Hash()
            hash.update(key)
            return hash.finalize().withByteSpan { $0.array }
        }
        block += repeatElement(0, count: Hash.blockByteCount - block.count)
        inner = Self.hash(padding: 0x36, of: &block)
        outer = Self.hash(padding: 0x36 ^ 0x5c, of: &block)
        for index in block.indices { block[index] = 0 }
    }

    /// A hash that has taken in `block`, every byte of which is changed by `padding` first.
    private static func hash(padding: UInt8, of block: inout [UInt8]) -> Hash {
        for index in block.indices { block[index] ^= padding }
        var hash = Hash()
        hash.update(block.span)
        return hash
    }

    /// The code of `message`, in Base64.
    func authenticationCode(of message: Span<UInt8>) -> [UInt8] {
        var inner = inner
        inner.update(message)
        var outer = outer
        inner.finalize().withByteSpan { outer.update($0) }
        return outer.finalize().withByteSpan { Base64.encode($0) }
    }
}
