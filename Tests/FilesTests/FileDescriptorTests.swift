import Dispatch
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Files

@Suite("Bytes of open files", .generousLimit, .timed)
struct FileDescriptorTests {
    let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    @Test("A pipe that does not block is waited for, until all is written", arguments: [0, 1, 1_000_000])
    func waits(count: Int) throws {
        let (reader, writer) = try FileDescriptor.pipe()
        let isSet = fcntl(writer.rawValue, F_SETFL, O_WRONLY | O_NONBLOCK) == 0
        try #require(isSet)
        let bytes = [UInt8](repeating: 7, count: count)
        let written = Mutex(-1)
        DispatchQueue(label: "FileDescriptorTests").async {
            let (count, error) = writer.write(bytes.span)
            written.withLock { $0 = error == nil ? count : -1 }
            try? writer.close()
        }
        let read = try reader.readAll()
        try reader.close()
        #expect(read == bytes)
        #expect(written.withLock { $0 } == count)
    }

    @Test("What is not written is told with its error")
    func errors() throws {
        signal(SIGPIPE, SIG_IGN)
        let bytes: [UInt8] = [1, 2, 3]
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        let (count, error) = full.write(bytes.span)
        #expect(count == 0)
        #expect(error == .noSpace)
        try full.close()
        let (reader, writer) = try FileDescriptor.pipe()
        try reader.close()
        let (pipedCount, pipedError) = writer.write(bytes.span)
        #expect(pipedCount == 0)
        #expect(pipedError == .brokenPipe)
        try writer.close()
    }

    @Test("An open file has the stamp that its path has")
    func stamps() throws {
        let path = try directory.write("x", to: "file")
        let file = try FileDescriptor.open(path, .readOnly)
        let stamp = try Directory.stamp(of: file)
        #expect(stamp.isRegularFile)
        #expect(try Directory.stamp(path: path) == stamp)
        try file.close()
        #expect(throws: Errno.badFileDescriptor) { try Directory.stamp(of: FileDescriptor(rawValue: -1)) }
    }
}
