import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import CredentialStores
import DirectoryWatching

@Suite("Reading the events of inotify")
struct InotifyHandlerTests {
    private final class Told: Sendable {
        let changes = Mutex<[VaultWatcher.Changes]>([])
    }

    private let told = Told()

    private func event(_ mask: Int32, _ name: String = "", padding: Int = 3) -> ByteBuffer {
        var buffer = ByteBuffer()
        let bytes = name.isEmpty ? [] : Array(name.utf8) + Array(repeating: 0, count: padding)
        buffer.writeMultipleIntegers(
            Int32(1),
            UInt32(bitPattern: mask),
            UInt32(0),
            UInt32(bytes.count),
            endianness: .host
        )
        buffer.writeBytes(bytes)
        return buffer
    }

    /// Returns what is told when the kernel gives this in one go.
    private func changes(_ events: [ByteBuffer]) throws -> [VaultWatcher.Changes] {
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
        var first = event(IN_MOVED_TO, "b.sealed.new-1")
        first.writeImmutableBuffer(event(IN_MOVED_FROM, "a.sealed.new-2", padding: 8))
        let events = [first, event(IN_MOVED_FROM, "b.sealed.new-3", padding: 1), event(IN_MOVED_TO, "c.sealed.new-4")]
        #expect(try changes(events) == [VaultWatcher.Changes(fileNames: ["b.sealed", "a.sealed", "c.sealed"])])
    }

    @Test("Nothing is told of directories, and of files that are no credential's")
    func nothing() throws {
        let others = ["a", "a.new-1", ".successor-1.new-1", "a.sealed", ".sealed"].map { event(IN_MOVED_FROM, $0) }
        #expect(try changes(others + [event(IN_MOVED_TO | IN_ISDIR, "a.sealed.new-1"), ByteBuffer()]) == [])
    }

    @Test(
        "Events that were lost are told as such, beside those that were not",
        arguments: [IN_Q_OVERFLOW, IN_IGNORED, IN_UNMOUNT, IN_DELETE_SELF, IN_MOVE_SELF] as [Int32]
    )
    func overflow(mask: Int32) throws {
        let expected = VaultWatcher.Changes(fileNames: ["a.sealed"], hasOverflowed: true)
        #expect(try changes([event(mask), event(IN_MOVED_TO, "a.sealed.new-1")]) == [expected])
    }

    @Test("An event that ends too early is told as one that was lost")
    func truncated() throws {
        let whole = event(IN_MOVED_TO, "a.sealed.new-1")
        for count in 1..<whole.readableBytes {
            let part = try #require(whole.getSlice(at: 0, length: count))
            #expect(try changes([part]).last == VaultWatcher.Changes(hasOverflowed: true))
        }
    }
}
