import HTTP1Codec
import NIOCore
import OAuthSigning

/// A request as it is to be sent upstream, whatever version of HTTP is spoken there.
///
/// Beside it, ``HeadScratch/fields`` holds the field lines that are added.
struct OutgoingRequest {
    let head: RequestHead
    /// In origin-form.
    let target: ByteBuffer
    /// Whether ``target`` is another one than the head's.
    let replacesTarget: Bool
    let scheme: OAuthSigning.RequestScheme
    /// The value of the Host field, or of `:authority`.
    let host: ByteBuffer
    /// Whether ``host`` replaces the client's Host field.
    let replacesHost: Bool
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
