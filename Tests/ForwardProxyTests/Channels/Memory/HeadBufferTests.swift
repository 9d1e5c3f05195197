import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Buffers of heads")
struct HeadBufferTests {
    /// Writes one head, and gives it back as a channel would hold it.
    private static func send(_ text: String, with buffer: inout HeadBuffer, turn: Int) -> ByteBuffer {
        buffer.bytes.clear()
        buffer.bytes.writeString(text)
        return buffer.take(in: turn)
    }

    private static func place(of bytes: ByteBuffer) -> UInt {
        bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test("What is still held is not written into, however much that is")
    func held() {
        var buffer = HeadBuffer()
        var sent: [(text: String, bytes: ByteBuffer)] = []
        for turn in 0..<4 {
            for number in 0..<100 {
                let text = "head \(number) of turn \(turn)"
                sent.append((text, Self.send(text, with: &buffer, turn: turn)))
            }
        }
        #expect(Set(sent.map { Self.place(of: $0.bytes) }).count == sent.count)
        #expect(sent.allSatisfy { String(buffer: $0.bytes) == $0.text })
    }

    @Test("What has left is written into again")
    func left() {
        var buffer = HeadBuffer()
        let places = (0..<3).map { turn in
            (0..<5).map { number in
                Self.place(of: Self.send("head \(number) of turn \(turn)", with: &buffer, turn: turn))
            }
        }
        #expect(Set(places[0]).count == 5)
        #expect(Set(places[2]).isSubset(of: places[0] + places[1]))
    }

    @Test("A large one is not kept")
    func large() {
        var buffer = HeadBuffer()
        _ = Self.send(String(repeating: "x", count: 100_000), with: &buffer, turn: 0)
        for turn in 1..<4 {
            let sent = Self.send("head", with: &buffer, turn: turn)
            #expect(sent.storageCapacity < 100_000)
        }
    }
}
