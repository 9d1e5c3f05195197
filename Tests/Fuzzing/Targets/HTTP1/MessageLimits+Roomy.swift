import HTTP1Codec

extension MessageLimits {
    /// Limits that no input reaches.
    static var roomy: MessageLimits {
        var limits = MessageLimits()
        limits.headerBytes = 1 << 24
        limits.fields = 1 << 16
        limits.trailerBytes = 1 << 24
        limits.trailerFields = 1 << 16
        return limits
    }
}
