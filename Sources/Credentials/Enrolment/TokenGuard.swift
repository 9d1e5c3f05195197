package import OAuthSigning

/// Slows guesses at the admin listener's token.
package protocol TokenGuard: Sendable {
    /// Checks a token when its turn has come.
    ///
    /// - Parameters:
    ///   - address: The IP address that it comes from; nil: unknown.
    ///   - token: The token that was sent.
    ///   - isRight: The check.
    /// - Returns: Whether it is right.
    /// - Throws: When it was not checked, since too many from there were wrong.
    func check(
        _ token: Secret,
        from address: String?,
        isRight: @Sendable () -> Bool
    ) async throws(TooManyGuesses) -> Bool
}

/// The error where too many tokens from an address were wrong, so that another one was not checked.
package struct TooManyGuesses: Error {
    /// Seconds until one might be.
    package let retryAfter: Int

    package init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}
