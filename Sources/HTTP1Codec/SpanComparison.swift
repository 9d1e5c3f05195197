extension Span<UInt8> {
    /// Indicates whether every byte may stand in a token.
    var isToken: Bool {
        for index in indices where !self[index].isToken { return false }
        return true
    }

    /// Returns whether the bytes are exactly those of `text`, which must be ASCII.
    package func spells(_ text: String) -> Bool {
        let text = text.utf8.span
        guard count == text.count else { return false }
        for index in indices where self[index] != text[index] { return false }
        return true
    }

    /// The same with letters of either case in `self`; `text` must be ASCII in lower case.
    package func spellsIgnoringCase(_ text: String) -> Bool {
        let text = text.utf8.span
        guard count == text.count else { return false }
        for index in indices {
            let own = self[index]
            guard (own &- 0x41 < 26 ? own | 0x20 : own) == text[index] else { return false }
        }
        return true
    }

    /// Returns whether two spans are equal when the case of ASCII letters is ignored.
    package func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            let own = self[index]
            let its = other[index]
            guard own == its || (own ^ its == 0x20 && (own | 0x20) &- 0x61 < 26) else { return false }
        }
        return true
    }
}
