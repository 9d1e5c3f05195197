import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ForwardProxy

@Suite("The time of quiet after a change")
struct FileWatchHandlerTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    private let clock = EmbeddedClock()
    private let names = WatchedNames()
    private let count = Count()
    private let channel: EmbeddedChannel

    init() throws {
        _ = names.replace(by: [1: ["file", "..data"], 2: ["file"]])
        let handler = FileWatchHandler(clock: clock, names: names) { [count] in count.value.withLock { $0 += 1 } }
        channel = EmbeddedChannel(loop: clock.loop)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private var told: Int { count.value.withLock { $0 } }

    private func happens(_ mask: Int32, _ name: String = "", watch: Int32 = 1) {
        var buffer = ByteBuffer()
        let bytes = name.isEmpty ? [] : Array(name.utf8) + [0, 0]
        buffer.writeMultipleIntegers(
            watch,
            UInt32(bitPattern: mask),
            UInt32(0),
            UInt32(bytes.count),
            endianness: .host
        )
        buffer.writeBytes(bytes)
        channel.pipeline.fireChannelRead(buffer)
    }

    private func passes(_ time: TimeAmount) { clock.loop.advanceTime(by: time) }

    @Test("begins anew with each event, and is told once")
    func quiet() throws {
        for _ in 0..<5 {
            happens(IN_CLOSE_WRITE, "file")
            passes(.milliseconds(999))
            #expect(told == 0)
        }
        passes(.milliseconds(1))
        #expect(told == 1)
        passes(.hours(1))
        #expect(told == 1)
        _ = try channel.finish()
    }

    @Test("has an end: what goes on changing is told by ten seconds after it began, and by ten more after that")
    func bounded() throws {
        for round in 1...3 {
            for _ in 0..<20 {
                happens(IN_CLOSE_WRITE, "file")
                #expect(told == round - 1)
                passes(.milliseconds(500))
            }
            #expect(told == round)
        }
        passes(.hours(1))
        #expect(told == 3)
        _ = try channel.finish()
    }

    @Test("is not begun by other names, other watches, and the end of a watch that was given up")
    func others() throws {
        happens(IN_CLOSE_WRITE, "other")
        happens(IN_MOVED_TO, "..data", watch: 2)
        happens(IN_CLOSE_WRITE, "file", watch: 3)
        happens(IN_IGNORED, watch: 3)
        passes(.hours(1))
        #expect(told == 0)
        _ = try channel.finish()
    }

    @Test(
        "is begun by a name that counts, by the end of its directory, and by events that were lost",
        arguments: [
            (IN_MOVED_TO, "..data", 1), (IN_ATTRIB, "file", 2), (IN_DELETE_SELF, "", 1), (IN_Q_OVERFLOW, "", -1),
        ] as [(Int32, String, Int32)]
    )
    func those(mask: Int32, name: String, watch: Int32) throws {
        happens(mask, name, watch: watch)
        passes(FileWatcher.quietTime)
        #expect(told == 1)
        _ = try channel.finish()
    }

    @Test("is begun by an event that ends too early")
    func truncated() throws {
        channel.pipeline.fireChannelRead(ByteBuffer(repeating: 0, count: 7))
        passes(FileWatcher.quietTime)
        #expect(told == 1)
        _ = try channel.finish()
    }

    @Test("does not end when the watching does")
    func closed() throws {
        happens(IN_CLOSE_WRITE, "file")
        _ = try channel.finish()
        passes(.hours(1))
        #expect(told == 0)
    }
}
