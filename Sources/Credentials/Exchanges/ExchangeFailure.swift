/// The reason why an exchange gave no token: the step, what the provider said, and what to do about it.
package struct ExchangeFailure: Error, Sendable, Equatable {
    /// Which request of the exchange it was, in words ("reverse auth step 1").
    package var step: String
    /// The status of the provider's answer; nil when there was none.
    package var status: Int?
    /// The provider's words: scrubbed of secrets, printable, at most 200 characters. May be empty.
    package var words: String
    package var cause: Cause
    /// The time for which the same failure is answered without asking the provider again, in whole seconds, rounded up.
    package var retryAfter: Int?

    package init(step: String, status: Int?, words: String, cause: Cause, retryAfter: Int? = nil) {
        self.step = step
        self.status = status
        self.words = words
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// Bounded: fit for a metric's label.
    package var label: String { cause.rawValue }

    /// Everything a person needs, in a few sentences.
    package var detail: String {
        if cause == .vaultUnreadable { return "\(sentence) \(words)" }
        var text =
            ExchangeStep(rawValue: step) == nil
            ? "\(step.prefix(1).uppercased())\(step.dropFirst()) failed: " : "The token exchange failed in \(step): "
        if let status { text += "the provider answered \(status). " }
        text += sentence
        // Without an answer they are this side's own.
        if !words.isEmpty { text += status == nil ? " \(words)" : " It said: \(words)" }
        if retryAfter != nil, !text.hasSuffix(".") { text += "." }
        if let retryAfter { text += " It is tried again in \(retryAfter) s at the earliest." }
        return text
    }
}

extension ExchangeFailure: CustomStringConvertible {
    package var description: String { detail }
}
