import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("A body that was collected, as it is sent")
struct OutgoingBodyTests {
    private let trailers: FieldSection

    init() throws {
        trailers = try requestHead("GET / HTTP/1.1\nHost: a.test\n\n").fields
    }

    @Test("is none where the body is sent as it comes, whatever follows it")
    func streamed() {
        let body = OutgoingBody(signed: nil, collected: nil, trailers: trailers, framing: .chunked)
        let isNone = body == nil
        #expect(isNone)
    }

    @Test("goes with the head, with the signature where that is in it", arguments: [nil, [0x62, 0x63]] as [[UInt8]?])
    func withHead(signed: [UInt8]?) {
        let body = OutgoingBody(
            signed: signed,
            collected: ByteBuffer(string: "a"),
            trailers: nil,
            framing: .length(1)
        )
        #expect(body?.withHead == ByteBuffer(string: signed == nil ? "a" : "bc"))
    }

    @Test("is there though nothing was collected of it, where the signature is in it")
    func ofSignatureAlone() {
        let body = OutgoingBody(signed: [0x62], collected: nil, trailers: trailers, framing: .none)
        #expect(body?.withHead == ByteBuffer(string: "b"))
    }

    @Test(
        "has trailers behind it, unless the head tells another length",
        arguments: [BodyFraming.chunked, .length(1)],
        [false, true]
    )
    func trailers(framing: BodyFraming, isSigned: Bool) {
        let body = OutgoingBody(
            signed: isSigned ? [0x62, 0x63] : nil,
            collected: ByteBuffer(string: "a"),
            trailers: trailers,
            framing: framing
        )
        let follow = framing == .chunked || !isSigned
        #expect((body?.trailers != nil) == follow)
        #expect((body?.withHead == nil) == follow)
        #expect(body?.bytes == ByteBuffer(string: isSigned ? "bc" : "a"))
    }

    @Test("has no empty trailer section behind it")
    func withoutFields() {
        let empty = FieldSection(bytes: ByteBuffer(), start: 0, lines: [])
        let body = OutgoingBody(
            signed: nil,
            collected: ByteBuffer(string: "a"),
            trailers: empty,
            framing: .chunked
        )
        #expect(body?.withHead == ByteBuffer(string: "a"))
    }
}
