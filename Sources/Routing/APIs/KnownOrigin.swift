import Bytes
import HTTP1Codec
import NIOCore

/// The outcome of an absolute-form request for those behind it that name the same origin, byte for byte. A class, so
/// that each of them holds one reference.
package final class KnownOrigin: Sendable {
    package let route: APIRoute
    /// The authority that the requests go to.
    package let upstream: Authority
    /// Scheme and authority, as the client wrote them.
    private let bytes: [UInt8]
    /// The offset at which the authority begins.
    private let authorityStart: Int
    /// Indicates whether the same authority in a Host field is what the upstream is to be told.
    let hostNamesUpstream: Bool

    /// - Parameter target: An absolute-form request-target, of which `originOffset` bytes are scheme and authority.
    init(_ target: Span<UInt8>, originOffset: Int, route: APIRoute, upstream: Authority) {
        self.route = route
        self.upstream = upstream
        var bytes: [UInt8] = []
        bytes.reserveCapacity(originOffset)
        for index in 0..<originOffset { bytes.append(target[index]) }
        self.bytes = bytes
        authorityStart = (bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0) + "://".utf8.count
        let authority = target.extracting(authorityStart..<originOffset)
        let named = try? Authority(parsing: authority, defaultPort: route.upstreamScheme.defaultPort)
        hostNamesUpstream = named == upstream
    }

    /// Returns where the origin-form begins in a request-target of this origin; `nil` when it is of another one, or the
    /// Host field does not repeat the authority as it stands there.
    func originOffset(of head: borrowing RequestHead) -> Int? {
        let headBytes = head.fields.bytes.readableBytesUInt8Span
        let target = headBytes.extracting(head.targetRange)
        let bytes = self.bytes
        let (count, own) = (bytes.count, bytes.span)
        guard target.count > count, target[count] == UInt8(ascii: "/") else { return nil }
        guard target.extracting(first: count).equals(own) else { return nil }
        if let host = head.fields.valueRange(of: .host) {
            guard headBytes.extracting(host).equals(own.extracting(authorityStart...)) else { return nil }
        }
        return count
    }
}
