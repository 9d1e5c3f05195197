import Bytes

/// The account that a request is signed as.
package struct Account: Hashable, Sendable {
    /// The account that serves requests that name nobody.
    package static let defaultName = "default"

    /// The account's place in its API's list of accounts; nil: the configuration does not name it, and whether it is
    /// enrolled is known only when its credential is looked for.
    package let index: Int?
    package let name: String

    /// An account is named in a field of a request, or as a user name before a colon: 1 to 128 bytes, no colon, no
    /// control character, and no blank at either end.
    package static func isUsable(name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix(" ") && !name.hasSuffix(" ")
            && !name.utf8.contains(UInt8(ascii: ":")) && !name.hasControl
    }
}
