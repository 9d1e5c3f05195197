import CryptoExtras
import FoundationEssentials

extension RSAVerificationKey {
    /// Returns the encoded message that a signature holds (RFC 8017, section 5.2.2), for telling why it is not the
    /// right one; whether it is right, ``isValid(signature:of:digest:)`` says.
    ///
    /// - Returns: Nil when no signature of this key has that length.
    package func encodedMessage(of signature: [UInt8]) -> [UInt8]? {
        guard let primitives = try? key.getKeyPrimitives(), primitives.publicExponent.count <= 8 else { return nil }
        let modulus = Array(primitives.modulus.drop { $0 == 0 })
        let exponent = primitives.publicExponent.reduce(0) { $0 << 8 | UInt64($1) }
        guard signature.count == modulus.count, signature.lexicographicallyPrecedes(modulus) else { return nil }
        return RSAModulus(modulus).power(signature, exponent)
    }
}

/// Arithmetic modulo an RSA modulus, in the plainest way: only what is public is computed with it, and seldom.
struct RSAModulus {
    /// 64 bits each, the lowest first.
    private let words: [UInt64]
    private let byteCount: Int

    /// - Parameter bytes: The highest first.
    init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        words = Self.words(bytes)
    }

    /// - Parameter base: As many bytes as the modulus has, and less than it; the highest first.
    func power(_ base: [UInt8], _ exponent: UInt64) -> [UInt8] {
        let base = Self.words(base)
        var result = [1] + [UInt64](repeating: 0, count: words.count - 1)
        for bit in (0..<(64 - exponent.leadingZeroBitCount)).reversed() {
            result = product(result, result)
            if exponent >> UInt64(bit) & 1 == 1 { result = product(result, base) }
        }
        let bytes = result.reversed().flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
        return Array(bytes.suffix(byteCount))
    }

    private func product(_ one: [UInt64], _ other: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: words.count)
        for word in one.reversed() {
            for bit in (0..<64).reversed() {
                add(result, to: &result)
                if word >> UInt64(bit) & 1 == 1 { add(other, to: &result) }
            }
        }
        return result
    }

    private func add(_ summand: [UInt64], to sum: inout [UInt64]) {
        var carry = false
        for index in sum.indices {
            let (one, isOver) = sum[index].addingReportingOverflow(summand[index])
            let (both, isOverToo) = one.addingReportingOverflow(carry ? 1 : 0)
            sum[index] = both
            carry = isOver || isOverToo
        }
        if carry || !sum.reversed().lexicographicallyPrecedes(words.reversed()) { subtract(from: &sum) }
    }

    private func subtract(from sum: inout [UInt64]) {
        var borrow = false
        for index in sum.indices {
            let (one, isUnder) = sum[index].subtractingReportingOverflow(words[index])
            let (both, isUnderToo) = one.subtractingReportingOverflow(borrow ? 1 : 0)
            sum[index] = both
            borrow = isUnder || isUnderToo
        }
    }

    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        let padded = Array(repeating: 0, count: (8 - bytes.count % 8) % 8) + bytes
        return stride(from: 0, to: padded.count, by: 8).map { start in
            padded[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        .reversed()
    }
}
