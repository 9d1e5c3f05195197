import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Decimal numbers")
struct ByteBufferDecimalTests {
    @Test("are as the standard library writes them", arguments: [0, 1, 9, 10, 99, 100, 1_234_567, -1, -10, .max, .min])
    func writes(number: Int) {
        var buffer = ByteBuffer()
        buffer.writeDecimal(number)
        #expect(String(buffer: buffer) == "\(number)")
    }
}
