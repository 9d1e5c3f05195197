/// Too many tokens from an address were wrong: another one was not checked.
package struct TooManyGuesses: Error {
    /// Seconds until one might be.
    package let retryAfter: Int

    package init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}
