import Bytes
import HTTP1Codec
import NIOCore
import Testing
import TestSupport

@testable import HTTP2Codec

/// Heads of HTTP/1.1 that go through an encoder and a decoder of one connection, in long rows, so that both tables turn
/// over and their sizes change.
@Suite struct RoundTripTests {
    private static let names = [
        "User-Agent", "Accept", "accept-encoding", "Content-Type", "Cache-Control", "Server", "Vary", "Via", "Date",
        "Authorization", "Set-Cookie", "X-Request-Id", "ETag", "Location", "x-#$%&'*+.^_`|~",
        "X-" + "Long-".repeated(60),
    ]

    private func value(_ random: inout SeededGenerator) -> [UInt8] {
        switch random.below(8) {
        case 0: return []
        case 1: return (0..<1 + random.below(40)).map { _ in UInt8(0x80 + random.below(128)) }
        case 2: return Array("a\tb  c".utf8)
        case 3: return [UInt8](repeating: UInt8(0x61 + random.below(3)), count: random.below(1_000))
        case 4: return [UInt8](repeating: 0x62, count: 120 + random.below(16))
        default: return Array("value \(random.below(4))".utf8)
        }
    }

    private func section(_ random: inout SeededGenerator) -> [(name: String, value: [UInt8])] {
        (0..<random.below(8)).map { _ in (random.pick(Self.names), value(&random)) }
    }

    private func bytes(_ startLine: String, _ section: [(name: String, value: [UInt8])]) -> [UInt8] {
        Array("\(startLine)\r\n".utf8)
            + section.flatMap { Array("\($0.name):".utf8) + $0.value + [0x0D, 0x0A] } + [0x0D, 0x0A]
    }

    private func change(
        _ encoder: inout HeaderBlockEncoder,
        _ decoder: inout HeaderBlockDecoder,
        _ random: inout SeededGenerator
    ) {
        guard random.chance(6) else { return }
        let limit = random.pick([0, 40, 300, 4_096, 10_000])
        encoder.peerTableLimit(limit)
        decoder.dynamicTableLimit(limit)
    }

    @Test(arguments: 0..<8) func `Requests arrive with the same fields`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var limits = MessageLimits()
        limits.headerBytes = 1_000_000
        var encoder = HeaderBlockEncoder()
        var decoder = HeaderBlockDecoder(limits: limits)
        for _ in 0..<20 {
            let method = random.pick(["GET", "POST", "HEAD", "PUT", "PROPFIND"])
            let path = "/" + random.text(0...200, of: "abc/?&=%20;,.!~*'()[]{}|<>\"`^\\")
            let host = random.pick(["a", "a.example:8443", "[::1]:443"])
            let section = section(&random)
            let size = section.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
            guard size < 60_000 else { continue }
            let head = try HTTP1Heads.request(
                bytes("\(method) \(path) HTTP/1.1", [("Host", Array("x".utf8))] + section)
            )
            change(&encoder, &decoder, &random)
            var block = ByteBuffer()
            encoder.write(
                request: head,
                scheme: random.chance(2) ? .https : .http,
                authority: ByteBuffer(string: host),
                target: nil,
                dropping: [],
                appending: [:],
                into: &block
            )
            let arrived = try decoder.request(block, endsStream: true)
            #expect(String(buffer: arrived.methodBytes) == method)
            #expect(String(buffer: arrived.target) == path)
            #expect(HTTP1Heads.lines(arrived.fields) == ["host: \(host)"] + HTTP1Heads.lines(head.fields).dropFirst())
            #expect(arrived.fields.map(\.known) == head.fields.map(\.known))
            // What arrived can be read as HTTP/1.1 again.
            var written = ByteBuffer()
            arrived.write(into: &written, dropping: [], appending: [:])
            #expect(
                try HTTP1Heads.lines(HTTP1Heads.request(Array(written.readableBytesView)).fields)
                    == HTTP1Heads.lines(arrived.fields)
            )
        }
    }

    @Test(arguments: 0..<8) func `Responses arrive with the same fields`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(1_000 + seed))
        var limits = MessageLimits()
        limits.headerBytes = 1_000_000
        var encoder = HeaderBlockEncoder()
        var decoder = HeaderBlockDecoder(limits: limits)
        for _ in 0..<20 {
            let status = random.pick([200, 201, 204, 301, 304, 404, 503, 999, 103])
            let section = section(&random)
            let size = section.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
            guard size < 60_000 else { continue }
            let head = try HTTP1Heads.response(bytes("HTTP/1.1 \(status) Any reason", section))
            change(&encoder, &decoder, &random)
            var block = ByteBuffer()
            encoder.write(response: head, dropping: [], appending: [:], into: &block)
            let arrived = try decoder.response(block, endsStream: false, to: .get)
            #expect(arrived.status == status)
            #expect(HTTP1Heads.lines(arrived.fields) == HTTP1Heads.lines(head.fields))
            var written = ByteBuffer()
            arrived.write(into: &written, dropping: [], appending: [:])
            #expect(
                try HTTP1Heads.lines(HTTP1Heads.response(Array(written.readableBytesView)).fields)
                    == HTTP1Heads.lines(head.fields)
            )
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
