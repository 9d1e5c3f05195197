/// Why a provider refuses a request, as far as its answer tells.
package struct ProviderDiagnosis: Sendable, Equatable {
    package var cause: Cause
    package var dialect: Dialect
    /// What the provider said: scrubbed of secrets, printable, at most 200 characters. May be empty.
    package var words: String
    /// The names of the parameters that it misses, and of those it does not accept.
    package var missingParameters: [String]
    package var rejectedParameters: [String]
    /// The values of `oauth_timestamp` that it accepts, in seconds; a single one where it only told the time.
    package var acceptableTimestamps: ClosedRange<UInt64>?
    /// The versions that it accepts, as it wrote them (`1.0-1.0`).
    package var acceptableVersions: String?
    /// The signature base string (RFC 5849, section 3.4.1) that it made of the request; nil too when it is longer than
    /// 8 KiB or has a secret in it.
    package var expectedBaseString: String?
    /// The realm of its OAuth challenge.
    package var realm: String?
    /// Why its body could not be read, in a few words; nil when it was.
    package var unreadBody: String?

    package init(
        cause: Cause,
        dialect: Dialect,
        words: String = "",
        missingParameters: [String] = [],
        rejectedParameters: [String] = [],
        acceptableTimestamps: ClosedRange<UInt64>? = nil,
        acceptableVersions: String? = nil,
        expectedBaseString: String? = nil,
        realm: String? = nil,
        unreadBody: String? = nil
    ) {
        self.cause = cause
        self.dialect = dialect
        self.words = words
        self.missingParameters = missingParameters
        self.rejectedParameters = rejectedParameters
        self.acceptableTimestamps = acceptableTimestamps
        self.acceptableVersions = acceptableVersions
        self.expectedBaseString = expectedBaseString
        self.realm = realm
        self.unreadBody = unreadBody
    }

    /// Whether another token may help.
    package var refusesToken: Bool { cause == .tokenRefused }
}
