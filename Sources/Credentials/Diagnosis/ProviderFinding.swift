/// The finding of a reader in an answer, with the provider's words as they came.
struct ProviderFinding {
    var cause: ProviderDiagnosis.Cause
    var dialect: ProviderDiagnosis.Dialect
    var words: String
    var missingParameters: [String] = []
    var rejectedParameters: [String] = []
    var acceptableTimestamps: ClosedRange<UInt64>?
    var acceptableVersions: String?
    var expectedBaseString: String?
}
