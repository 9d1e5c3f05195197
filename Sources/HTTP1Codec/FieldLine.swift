package import NIOCore

/// One field line of a section, for what looks at names that are not known fields: tests, logs, `explain`.
package struct FieldLine: Sendable, Equatable {
    /// The name as it was spelled.
    package let name: ByteBuffer
    /// The value without the white space around it.
    package let value: ByteBuffer
    package let known: KnownField
    /// Indicates whether a `Connection` field of the same head names it, so that no writer passes it on.
    package let isNominated: Bool
}
