import Bytes
package import OAuthSigning

/// Takes the secrets out of what a provider said, so that it can be shown and logged: providers do echo what they were
/// sent, encoded in the way of wherever they put it.
package struct Scrubber: Sendable {
    private static let replacement = Array("<secret>".utf8)

    private let matchers: [SecretMatcher]
    /// The matchers of secrets so short that they count only where they stand by themselves.
    private let wordMatchers: [SecretMatcher]

    /// - Parameters:
    ///   - secrets: Those known to be within the provider's reach; empty ones are passed over.
    ///   - texts: Texts with secrets in them, which are full of words that are none: they count as a whole.
    ///   - words: Secrets so short that they may be parts of other words: they count where they stand by themselves.
    package init(secrets: [Secret], texts: [Secret] = [], words: [Secret] = []) {
        wordMatchers = words.filter { !$0.isEmpty }.map { SecretMatcher($0, countsParts: false) }
        matchers =
            secrets.filter { !$0.isEmpty }.map { SecretMatcher($0) }
            + texts.filter { !$0.isEmpty }.map { SecretMatcher($0, countsParts: false) }
    }

    /// The text in printable characters without the secrets, of at most `limit` Unicode scalars.
    package func words(of bytes: [UInt8], limit: Int = 200) -> String {
        let nested = NestedText(String(decoding: bytes, as: UTF8.self))
        let text = nested.text
        var result: [UInt8] = []
        var index = 0
        // A scalar has at most four bytes: what lies beyond is cut off anyway.
        let byteLimit = 4 * min(limit, text.bytes.count)
        while result.count <= byteLimit, index < text.bytes.endIndex {
            if let end = nested.end(at: index, endOfSecret) {
                result += Self.replacement
                index = end
            } else if let named = NamedSecret(text.bytes[index...]) {
                result += text.bytes[index..<named.value.lowerBound]
                if !named.value.isEmpty { result += Self.replacement }
                index = named.value.upperBound
            } else {
                result.append(text.bytes[index])
                index += 1
            }
        }
        return condensed(String(decoding: result, as: UTF8.self), limit: limit)
    }

    /// Returns whether one of the secrets, or a part of one, is in the text, in any form.
    package func finds(in text: String) -> Bool {
        NestedText(text).texts.contains { text in
            text.bytes.indices.contains { endOfSecret(in: text, at: $0) != nil }
        }
    }

    /// The same for the name of a member, in which a short secret may be part of a word: it counts as the whole name
    /// only.
    func finds(inName name: String) -> Bool {
        let long = matchers.filter(\.isLong)
        return NestedText(name).texts.contains { text in
            endOfSecret(in: text, at: 0) == text.bytes.endIndex || Self.finds(long, in: text)
        }
    }

    private static func finds(_ matchers: [SecretMatcher], in text: EscapedText) -> Bool {
        text.bytes.indices.contains { start in matchers.contains { $0.end(in: text, at: start) != nil } }
    }

    /// Returns where a secret ends that begins at an index: the longest one, so that one within another does not leave
    /// the rest of it standing.
    private func endOfSecret(in text: EscapedText, at start: Int) -> Int? {
        matchers.compactMap { $0.end(in: text, at: start) }.max() ?? endOfWord(in: text, at: start)
    }

    private func endOfWord(in text: EscapedText, at start: Int) -> Int? {
        guard !wordMatchers.isEmpty, start == 0 || !Self.isInWord(text.bytes[start - 1]) else { return nil }
        return wordMatchers.compactMap { $0.end(in: text, at: start) }
            .filter { $0 == text.bytes.endIndex || !Self.isInWord(text.bytes[$0]) }.max()
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
