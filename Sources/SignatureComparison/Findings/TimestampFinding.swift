import OAuthSigning

/// The findings on the other side's `oauth_timestamp` (RFC 5849, section 3.3).
enum TimestampFinding {
    /// Providers commonly accept five minutes to either side.
    private static let window: UInt64 = 300

    /// - Parameters:
    ///   - now: Seconds since 1970 that it is compared with.
    ///   - clock: Whose they are, in words.
    static func finding(for timestamp: String, now: UInt64, clock: String) -> ComparisonFinding? {
        guard timestamp.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let time = UInt64(timestamp) else {
            return ComparisonFinding(
                cause: .timestampMalformed,
                certainty: .seen,
                sentence: "oauth_timestamp \"\(timestamp)\" is no number; it must be the seconds since 1970."
            )
        }
        if time / 500 > now {
            return ComparisonFinding(
                cause: .timestampMalformed,
                certainty: .seen,
                sentence:
                    "oauth_timestamp \(time) is not in seconds (in milliseconds?); it must be the seconds since 1970."
            )
        }
        let distance = time > now ? time - now : now - time
        guard distance > window else { return nil }
        return ComparisonFinding(
            cause: .timestampFar,
            certainty: .remark,
            sentence:
                "oauth_timestamp is \(distance) s \(time > now ? "ahead of" : "behind") \(clock); providers commonly "
                + "accept \(window) s."
        )
    }
}
