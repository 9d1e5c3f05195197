import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ForwardProxy

@Suite("Reading the events of inotify")
struct InotifyHandlerTests {
    private final class Told: Sendable {
        let changes = Mutex<[DirectoryChanges]>([])
    }

    private let told = Told()

    private func event(_ mask: Int32, _ name: String = "", padding: Int = 3) -> ByteBuffer {
        var buffer = ByteBuffer()
        let octets = name.isEmpty ? [] : Array(name.utf8) + Array(repeating: 0, count: padding)
        buffer.writeMultipleIntegers(
            Int32(1),
            UInt32(bitPattern: mask),
            UInt32(0),
            UInt32(octets.count),
            endianness: .host
        )
        buffer.writeBytes(octets)
        return buffer
    }

    /// What is told when the kernel gives this in one go.
    private func changes(_ events: [ByteBuffer]) throws -> [DirectoryChanges] {
        let channel = EmbeddedChannel(
            handler: InotifyHandler { [told] change in told.changes.withLock { $0.append(change) } }
        )
        for event in events { channel.pipeline.fireChannelRead(event) }
        channel.pipeline.fireChannelReadComplete()
        // Each is told once.
        channel.pipeline.fireChannelReadComplete()
        _ = try channel.finish()
        return told.changes.withLock { $0 }
    }

    @Test("Events that come together are told together, each file once")
    func together() throws {
        var first = event(IN_MOVED_TO, "b.sealed")
        first.writeImmutableBuffer(event(IN_DELETE, "a.sealed", padding: 8))
        let events = [first, event(IN_CLOSE_WRITE, "b.sealed", padding: 1), event(IN_MOVED_FROM, "c.sealed")]
        #expect(try changes(events) == [DirectoryChanges(fileNames: ["b.sealed", "a.sealed", "c.sealed"])])
    }

    @Test("Nothing is told of directories, and of files that begin with a dot")
    func nothing() throws {
        #expect(try changes([event(IN_DELETE | IN_ISDIR, "a"), event(IN_MOVED_TO, ".b"), ByteBuffer()]) == [])
    }

    @Test(
        "Events that were lost are told as such, beside those that were not",
        arguments: [IN_Q_OVERFLOW, IN_IGNORED, IN_UNMOUNT, IN_DELETE_SELF, IN_MOVE_SELF] as [Int32]
    )
    func overflow(mask: Int32) throws {
        let expected = DirectoryChanges(fileNames: ["a.sealed"], overflowed: true)
        #expect(try changes([event(mask), event(IN_DELETE, "a.sealed")]) == [expected])
    }

    @Test("An event that ends too early is told as one that was lost")
    func truncated() throws {
        let whole = event(IN_DELETE, "a.sealed")
        for count in 1..<whole.readableBytes {
            let part = try #require(whole.getSlice(at: 0, length: count))
            #expect(try changes([part]).last == DirectoryChanges(overflowed: true))
        }
    }
}
