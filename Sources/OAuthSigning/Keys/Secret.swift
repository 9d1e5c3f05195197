import Bytes
import Crypto

/// Text or bytes that must not be shown: kept in memory that is zeroed when the last copy goes away,
/// compared in constant time, and printed as `<secret>` whatever prints it.
package struct Secret: Sendable, Equatable {
    private let key: SymmetricKey

    /// The UTF-8 bytes of `text`.
    package init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    package init(bytes: some Sequence<UInt8>) {
        var copy = Array(bytes)
        key = SymmetricKey(data: copy)
        for index in copy.indices { copy[index] = 0 }
    }

    package var isEmpty: Bool { key.bitCount == 0 }

    /// Lends the bytes for the time of one call.
    package func withBytes<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try key.withByteSpan(body)
    }

    /// The secret as text (bytes that are not UTF-8 become U+FFFD). A copy that is not zeroed: for the places that
    /// must send it.
    package func revealed() -> String {
        key.withByteSpan { bytes in
            String(decoding: bytes.array, as: UTF8.self)
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(reflecting: "<secret>") }
}
