import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Log lines that are held for their order")
struct HeldLinesTests {
    private static func add(_ times: [Int64], to held: inout HeldLines, at arrival: TimeAmount) {
        var bytes = ByteBuffer()
        let lines = times.map { time in
            LogLine(time: WallTime(seconds: time, nanoseconds: 0), length: bytes.writeString("\(time)\n"))
        }
        held.append(bytes, lines, at: .uptimeNanoseconds(0) + arrival)
    }

    private static func take(_ held: inout HeldLines, at now: TimeAmount?) -> String? {
        held.take(at: now.map { .uptimeNanoseconds(0) + $0 }).map { String(buffer: $0) }
    }

    @Test("Lines of several event loops are in the order of their times")
    func order() {
        var held = HeldLines()
        Self.add([3, 5, 9], to: &held, at: .zero)
        Self.add([1, 4, 5, 12], to: &held, at: .milliseconds(20))
        #expect(held.due == .uptimeNanoseconds(0) + HeldLines.holdTime)
        #expect(Self.take(&held, at: .milliseconds(64)) == nil)
        // What is later than all that is due may have predecessors that are still to come.
        #expect(Self.take(&held, at: HeldLines.holdTime) == "1\n3\n4\n5\n5\n9\n")
        Self.add([11], to: &held, at: .milliseconds(50))
        #expect(Self.take(&held, at: .milliseconds(85)) == "11\n12\n")
        #expect(held.due == nil && held.byteCount == 0)
    }

    @Test("At the end all of them are due")
    func end() {
        var held = HeldLines()
        Self.add([2], to: &held, at: .zero)
        #expect(held.byteCount == 2)
        Self.add([1], to: &held, at: .seconds(1))
        #expect(Self.take(&held, at: nil) == "1\n2\n")
        #expect(Self.take(&held, at: nil) == nil && held.byteCount == 0)
    }
}
