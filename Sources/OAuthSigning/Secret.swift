import Crypto

/// Text or octets that must not be shown: kept in memory that is zeroed when the last copy goes away,
/// compared in constant time, and printed as `<secret>` whatever prints it.
package struct Secret: Sendable, Equatable {
    private let key: SymmetricKey

    /// The UTF-8 octets of `text`.
    package init(_ text: String) {
        self.init(octets: text.utf8)
    }

    package init(octets: some Sequence<UInt8>) {
        var copy = Array(octets)
        key = SymmetricKey(data: copy)
        for index in copy.indices { copy[index] = 0 }
    }

    package var isEmpty: Bool { key.bitCount == 0 }

    /// Lends the octets for the time of one call.
    package func withOctets<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try key.withOctetSpan(body)
    }

    /// The secret as text (octets that are not UTF-8 become U+FFFD). A copy that is not zeroed: for the places that
    /// must send it.
    package func revealed() -> String {
        key.withOctetSpan { octets in
            String(decoding: octets.array, as: UTF8.self)
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(reflecting: "<secret>") }
}
