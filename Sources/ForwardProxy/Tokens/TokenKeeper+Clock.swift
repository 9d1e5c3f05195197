import Glibc

extension TokenKeeper {
    /// Seconds since 1970, for `oauth_timestamp`.
    static func timestamp() -> UInt64 {
        UInt64(max(0, time(nil)))
    }
}
