import HTTP1Codec

extension MessageLimits {
    /// Limits that an input of a few hundred bytes reaches.
    static var small: MessageLimits {
        var limits = MessageLimits()
        limits.headerBytes = 256
        limits.fields = 6
        limits.connectionOptions = 3
        limits.chunkLineBytes = 32
        limits.chunkExtensionBytes = 64
        limits.trailerBytes = 64
        limits.trailerFields = 3
        limits.informationalResponses = 2
        return limits
    }
}
