import TestSupport

/// Damages messages as an attacker or a bad line would.
struct Mutator {
    var random: SeededGenerator

    private static let bytes: [UInt8] =
        Array("\r\n\t :;,=\"\\/?#0159aAfFgzZ+-_.@[](){}".utf8) + [0, 1, 0x0B, 0x0C, 0x7F, 0x80, 0xFF]
    private static let pieces: [[UInt8]] = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\n\n", "\r\r\n", "\r\n ", "\r\n\t", " ", "\t", "\0", ":", " :", ";", ";a=b",
        ";\"",
        "0\r\n\r\n", "0\r\n", "1\r\n", "ffffffffffffffff\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n",
        "content-length:6 \r\n", "Content-Length: +1\r\n", "Transfer-Encoding: chunked\r\n",
        "transfer-encoding:\tchunked\r\n",
        "Transfer-Encoding: identity\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding : chunked\r\n",
        "Host: x\r\n", "Host:\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n",
        "Connection: Content-Length\r\n",
        "Connection: upgrade\r\nUpgrade: x\r\n", "Proxy-Connection: close\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET ", " HTTP/1.1", " HTTP/1.0\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 204 X\r\n\r\n", "HTTP/1.1 100 C\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "http://", "//", "*", "chunked", ", chunked", ",", "_", "0x",
    ].map { Array($0.utf8) }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// One to three changes.
    mutating func mutate(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        for _ in 0...random.below(3) where !bytes.isEmpty { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = random.below(bytes.count)
        switch random.below(9) {
        case 0: bytes[place] = random.pick(Self.bytes)
        case 1: bytes.insert(random.pick(Self.bytes), at: place)
        case 2: bytes.remove(at: place)
        case 3: bytes[place] ^= 1 << UInt8(random.below(8))
        case 4: bytes.insert(contentsOf: random.pick(Self.pieces), at: place)
        case 5, 6: bytes.insert(contentsOf: random.pick(Self.pieces), at: lineStart(in: bytes))
        case 7:
            let end = min(bytes.count, place + 1 + random.below(20))
            let slice = Array(bytes[place..<end])
            bytes.insert(contentsOf: slice, at: random.below(bytes.count))
        default: bytes.removeLast(bytes.count - place)
        }
    }

    /// The start of any line but the first, if there is one.
    private mutating func lineStart(in bytes: [UInt8]) -> Int {
        let starts = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
        return starts.isEmpty ? 0 : random.pick(starts)
    }
}
