/// Upper bounds that keep one peer from holding memory or time; each is enforced while bytes arrive.
package struct MessageLimits: Sendable, Equatable {
    /// Start line, field lines and the empty line together, in bytes.
    package var headerBytes = 65_536
    /// Field lines in one head.
    package var fields = 256
    /// Options in all `Connection` fields of one head; each is compared with each field name.
    package var connectionOptions = 32
    /// One chunk-size line with its extensions, in bytes.
    package var chunkLineBytes = 1_024
    /// Chunk extensions and superfluous zeros of one message together, in bytes.
    package var chunkExtensionBytes = 16_384
    /// The trailer section with its empty line, in bytes.
    package var trailerBytes = 16_384
    /// Field lines in one trailer section.
    package var trailerFields = 64
    /// Informational (1xx) responses before one final response.
    package var informationalResponses = 64

    package init() {}

    /// The field lines that go with as many bytes of a head: one for 256, at least 256.
    package static func fields(headerBytes: Int) -> Int { max(256, headerBytes / 256) }
}
