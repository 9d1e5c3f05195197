/// Reads what is said in words alone, as plain text or in whatever member of a JSON object.
enum WordsReader {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        for message in answer.messages {
            if let finding = read(Array(message.utf8), isRefusal: answer.isRefusal) { return finding }
        }
        return nil
    }

    /// - Parameter message: In UTF-8.
    static func read(_ message: [UInt8], isRefusal: Bool) -> ProviderFinding? {
        let lowered = ByteSearch.lowercased(message.drop { $0 <= 0x20 })
        guard let phrase = Phrase.first(in: lowered, isRefusal: isRefusal) else { return nil }
        // What comes after the mark is a base string, or secrets.
        let words = ExpectedBaseString.mark(in: message).map { message[..<$0.lowerBound] } ?? message[...]
        return ProviderFinding(
            cause: phrase.cause,
            dialect: phrase.dialect,
            words: String(decoding: words, as: UTF8.self),
            missingParameters: phrase.cause == .parameterAbsent ? parameterNames(in: lowered) : [],
            acceptableTimestamps: phrase.cause == .timestampRefused ? time(in: lowered).map { $0...$0 } : nil,
            expectedBaseString: ExpectedBaseString.find(in: message)
        )
    }

    /// The names in a text that are of the protocol (RFC 5849, section 3.1), at most 16.
    static func parameterNames(in lowered: [UInt8]) -> [String] {
        let words = lowered.split { !(0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_")) }
        return Array(words.filter { $0.starts(with: "oauth_".utf8) && 7...64 ~= $0.count }.prefix(16))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The provider's own time, in seconds, which libraries tell beside the one they refuse: "given 1 and now 2",
    /// "yours 1, ours 2".
    private static func time(in lowered: [UInt8]) -> UInt64? {
        for mark in [" and now ", ", ours "] {
            guard let start = ByteSearch.index(of: mark.utf8, in: lowered) else { continue }
            let digits = lowered[(start + mark.utf8.count)...].prefix { 0x30...0x39 ~= $0 }
            if let time = UInt64(String(decoding: digits, as: UTF8.self)) { return time }
        }
        return nil
    }
}
