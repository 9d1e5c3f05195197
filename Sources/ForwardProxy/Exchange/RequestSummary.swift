import HTTP1Codec
import NIOCore

/// All that is told of one request once it is over.
struct RequestSummary {
    var record: ExchangeRecord
    /// The time at which it was over.
    var end: NIODeadline
    var method: ByteBuffer
    var authority: String
    /// The request-target in origin-form; nil when none could be read.
    var target: ByteBuffer?
    var api: String?
    var account: String?
    /// The name of the configured client that sent it; nil when none are configured.
    var client: String?
    /// How it ended where the status does not tell.
    var outcome: String?
}
