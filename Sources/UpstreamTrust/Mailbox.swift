/// An e-mail address as name constraints compare it: `Local-part@Domain` (RFC 5280, section 4.2.1.6).
struct Mailbox {
    var local: [UInt8]
    var host: DomainName

    init?(_ text: String) {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), at > text.utf8.startIndex,
            let host = DomainName(text[text.utf8.index(after: at)...]), !host.isWildcard
        else { return nil }
        local = Array(text.utf8[..<at])
        self.host = host
    }

    /// - Parameter ignoringCase: Whether the local part may differ in the case of ASCII letters.
    func isSame(as other: Mailbox, ignoringCase: Bool) -> Bool {
        guard host == other.host, local.count == other.local.count else { return false }
        return zip(local, other.local).allSatisfy { left, right in
            left == right || (ignoringCase && left | 0x20 == right | 0x20)
        }
    }
}
