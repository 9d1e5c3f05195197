import HTTP1Codec
import NIOCore
import OAuthSigning

/// What a request is to be sent upstream with, besides its head, whatever version of HTTP is spoken there.
///
/// Beside it, ``HeadScratch/fields`` holds the field lines that are added.
struct OutgoingRequest {
    /// In origin-form; nil: the head's own, which is.
    let target: ByteBuffer?
    let scheme: OAuthSigning.RequestScheme
    /// The value of the Host field, or of `:authority`; nil: the head's own.
    let host: ByteBuffer?
    /// Fields of the head that are not sent.
    let dropped: KnownFieldSet
    /// Whether the client takes trailers of the response.
    let acceptsTrailers: Bool
    /// The protocols to offer to switch to.
    let upgrade: ByteBuffer?
    /// The whole body, where it was collected.
    let body: ByteBuffer?
    /// Whether nothing follows.
    let isComplete: Bool
}
