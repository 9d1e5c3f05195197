import Dispatch
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Where log lines go", .generousLimit, .timed)
struct LogSinkTests {
    private let reader: Int32
    private let sink: LogSink

    init() throws {
        var ends: [Int32] = [0, 0]
        let isMade = pipe(&ends) == 0
        try #require(isMade)
        reader = ends[0]
        sink = LogSink(descriptor: ends[1], closes: true)
    }

    /// The lines that come until one ends with the text.
    private func lines(until end: String) async throws -> [String] {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            var octets: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            let last = Array((end + "\n").utf8)
            while octets.suffix(last.count) != last[...] {
                let count = read(reader, &piece, piece.count)
                try #require(count > 0)
                octets += piece.prefix(count)
            }
            return String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init)
        }
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
}
