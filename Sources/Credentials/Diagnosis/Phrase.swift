/// Words that a provider, or the OAuth library it is built with, is known to refuse a request with.
struct Phrase {
    enum Kind {
        /// Nothing else is called that: read wherever it begins a message, and anywhere in a 401.
        case unmistakable
        /// Read only at the beginning of a short message in a 401.
        case common
    }

    /// In lower case.
    let words: [UInt8]
    let cause: ProviderDiagnosis.Cause
    let dialect: ProviderDiagnosis.Dialect
    let kind: Kind

    private static let shortMessage = 300

    init(
        _ words: String,
        _ cause: ProviderDiagnosis.Cause,
        _ dialect: ProviderDiagnosis.Dialect = .plain,
        _ kind: Kind = .unmistakable
    ) {
        self.words = Array(words.utf8)
        self.cause = cause
        self.dialect = dialect
        self.kind = kind
    }

    /// The first that fits.
    /// - Parameters:
    ///   - message: In lower case.
    ///   - isRefusal: Whether the answer refuses authorization whatever it says.
    static func first(in message: [UInt8], isRefusal: Bool) -> Phrase? {
        all.first { phrase in
            switch phrase.kind {
            case .unmistakable where isRefusal: ByteSearch.index(of: phrase.words, in: message) != nil
            case .unmistakable: message.starts(with: phrase.words)
            case .common: isRefusal && message.count <= shortMessage && message.starts(with: phrase.words)
            }
        }
    }
}
