/// `oauth_nonce` of the requests that get and verify tokens.
package enum ExchangeNonce {
    /// 128 random bits, in letters and digits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let value = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
        return String(value, radix: 36)
    }
}
