/// `metrics`
struct MetricsReading {
    /// Indicates whether metrics of tokens have the names of accounts.
    private(set) var namesAccounts = false

    init() {}

    init(_ section: Section) {
        defer { section.finish() }
        section["accounts"]?.isOn().map { namesAccounts = $0 }
    }
}
