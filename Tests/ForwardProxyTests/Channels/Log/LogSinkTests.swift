import Dispatch
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The sink of log lines", .generousLimit, .timed)
struct LogSinkTests {
    private let reader: Int32
    /// The sink's.
    private let descriptor: Int32
    private let sink: LogSink

    init() throws {
        // As event loops have it, of which these tests may come before the first.
        signal(SIGPIPE, SIG_IGN)
        (reader, descriptor) = try Self.pipe()
        sink = LogSink(descriptor: descriptor, closes: true)
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        let isMade = Glibc.pipe(&ends) == 0
        try #require(isMade)
        return (ends[0], ends[1])
    }

    /// The lines that come until one ends with the text.
    private func lines(until end: String) async throws -> [String] {
        try await text(from: reader, until: end + "\n").split(separator: "\n").map(String.init)
    }

    private func text(from reader: Int32, until end: String) async throws -> String {
        try await NIOThreadPool.singleton.runIfActive {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            let last = Array(end.utf8)
            while bytes.suffix(last.count) != last[...] {
                let count = read(reader, &piece, piece.count)
                try #require(count > 0)
                bytes += piece.prefix(count)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Makes the sink write a line with the number of those that were lost.
    private static func tellLosses(of sink: LogSink) {
        sink.whenLinesAreLost { [unowned sink] count in sink.write(ByteBuffer(string: "lost \(count)\n")) }
    }

    /// Makes the pipe non-blocking, as another process that shares it may do.
    private func setNonBlocking() throws {
        let isSet = fcntl(descriptor, F_SETFL, O_WRONLY | O_NONBLOCK) == 0
        try #require(isSet)
    }

    @Test("Lines wait for their reader and for nobody else, and those beyond the limit are counted and told")
    func keepsNobodyWaiting() async throws {
        let told = Mutex<[Int]>([])
        sink.whenLinesAreLost { [unowned sink] count in
            told.withLock { $0.append(count) }
            sink.write(ByteBuffer(string: "lost \(count)\n"))
        }
        let filler = String(repeating: "x", count: 1000)
        // Three times what fits; nobody reads by then.
        let count = 3 * LogSink.waitingLimit / 1000
        for number in 0..<count { sink.write(ByteBuffer(string: "\(number) \(filler)\n")) }
        #expect(sink.droppedLines > 0)
        #expect(!sink.finish(within: .milliseconds(0)))
        let dropped = sink.droppedLines
        let read = try await lines(until: "lost \(dropped)")
        #expect(told.withLock { $0 } == [dropped])
        #expect(read.count == count - dropped + 1)
        #expect(read.dropLast().allSatisfy { $0.hasSuffix(" " + filler) })
        // The earliest ones, in their order.
        #expect(read.prefix(100).map { $0.prefix { $0 != " " } } == (0..<100).map { "\($0)" })
        close(reader)
    }

    @Test("What was written has left when that has been waited for")
    func finishes() async throws {
        for number in 0..<100 { sink.write(ByteBuffer(string: "\(number)\n")) }
        #expect(sink.finish(within: .seconds(300)))
        #expect(try await lines(until: "99") == (0..<100).map { "\($0)" })
        #expect(sink.droppedLines == 0)
        close(reader)
    }

    @Test("A reader that is gone loses lines, and nothing else")
    func survivesReader() {
        close(reader)
        for _ in 0..<10 { sink.write(ByteBuffer(string: "line\n")) }
        #expect(sink.finish(within: .seconds(300)))
    }

    @Test("A pipe that does not block is waited for like one that does")
    func waitsForRoom() async throws {
        try setNonBlocking()
        let filler = String(repeating: "x", count: 1000)
        // Several times what the pipe takes, and less than may wait.
        for number in 0..<900 { sink.write(ByteBuffer(string: "\(number) \(filler)\n")) }
        #expect(!sink.finish(within: .milliseconds(0)))
        sink.write(ByteBuffer(string: "last\n"))
        #expect(try await lines(until: "last") == (0..<900).map { "\($0) \(filler)" } + ["last"])
        #expect(sink.finish(within: .seconds(300)))
        #expect(sink.droppedLines == 0)
        close(reader)
    }

    @Test("Lines that cannot be written are counted, and told once others have been written")
    func countsFailures() async throws {
        let full = open("/dev/full", O_WRONLY)
        let sink = LogSink(descriptor: full, closes: true)
        Self.tellLosses(of: sink)
        for _ in 0..<10 { sink.write(ByteBuffer(string: "line\n")) }
        #expect(sink.finish(within: .seconds(300)))
        #expect(sink.droppedLines == 10)
        dup2(descriptor, full)
        sink.write(ByteBuffer(string: "later\n"))
        #expect(try await lines(until: "lost 10") == ["later", "lost 10"])
        #expect(sink.finish(within: .seconds(300)))
        #expect(sink.droppedLines == 10)
        close(reader)
    }

    @Test("Lines that cannot be written to a file are counted and told, too")
    func countsFailuresOfFile() throws {
        close(reader)
        let directory = try TestDirectory()
        let path = directory.path + "/log"
        let written = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let unwritable = open(path, O_RDONLY)
        let file = LogSink(descriptor: unwritable, closes: true)
        Self.tellLosses(of: file)
        file.write(ByteBuffer(string: "one\ntwo\n"))
        #expect(file.droppedLines == 2)
        dup2(written, unwritable)
        close(written)
        file.write(ByteBuffer(string: "later\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "later\nlost 2\n")
        #expect(file.droppedLines == 2)
    }

    @Test("A line that was cut by a failure is counted, and takes no other one with it")
    func endsCutLine() async throws {
        try setNonBlocking()
        Self.tellLosses(of: sink)
        // More than the pipe takes: the rest waits until the reader has gone.
        sink.write(ByteBuffer(string: String(repeating: "x", count: 500_000) + "\n"))
        _ = try await text(from: reader, until: "x")
        close(reader)
        #expect(sink.finish(within: .seconds(300)))
        #expect(sink.droppedLines == 1)
        let (another, writer) = try Self.pipe()
        dup2(writer, descriptor)
        close(writer)
        sink.write(ByteBuffer(string: "next\n"))
        #expect(try await text(from: another, until: "lost 1\n") == "\nnext\nlost 1\n")
        #expect(sink.droppedLines == 1)
        close(another)
    }

    @Test("A file has each line at once")
    func writesFiles() throws {
        close(reader)
        let directory = try TestDirectory()
        let path = directory.path + "/log"
        let file = LogSink(descriptor: open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600), closes: true)
        file.write(ByteBuffer(string: "one\n"))
        file.write(ByteBuffer(string: "two\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
    }

    @Test("After a redirection lines go elsewhere, none of them is lost, and the file of before is closed")
    func redirects() async throws {
        close(reader)
        let directory = try TestDirectory()
        let paths = (0..<3).map { "\(directory.path)/\($0)" }
        func open(_ path: String) -> Int32 { Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        let first = open(paths[0])
        let file = LogSink(descriptor: first, closes: true)
        for number in 0..<3000 {
            if number % 1000 == 500 { file.redirect(to: open(paths[1 + number / 2000])) }
            file.write(ByteBuffer(string: "\(number)\n"))
        }
        #expect(file.finish(within: .seconds(300)))
        let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts.joined() == (0..<3000).map { "\($0)\n" }.joined())
        #expect(texts[0].hasPrefix("0\n") && texts[2].hasSuffix("2999\n"))
        #expect(file.droppedLines == 0)
    }

    @Test("A file that cannot be written to is told with its error, and costs nothing but the lines")
    func tellsUnwritableFile() throws {
        close(reader)
        let told = Mutex<[Errno]>([])
        let file = LogSink(descriptor: descriptor)
        file.redirect(to: open("/dev/full", O_WRONLY)) { error in told.withLock { $0.append(error) } }
        file.write(ByteBuffer(string: "a\nb\n"))
        #expect(file.finish(within: .seconds(300)))
        #expect(told.withLock { $0 } == [.noSpace])
        #expect(file.droppedLines == 2)
    }
}
