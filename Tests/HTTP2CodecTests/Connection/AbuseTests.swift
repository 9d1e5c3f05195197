import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// The limits of `HTTP2Limits`: each is reached by the abuse it is there for.
@Suite struct AbuseTests {
    /// Scripts in which `N` stands for the number of a new stream.
    static let abandoning = [
        // Rapid reset (CVE-2023-44487), before and after the answer has begun.
        "HEADERS+ES+EH N $GET; RST_STREAM N 00000008",
        "HEADERS+EH N $POST; !answer N 200; RST_STREAM N 00000008",
        // Mistakes that make us reset the stream (CVE-2025-8671).
        "HEADERS+ES+EH N $GET; WINDOW_UPDATE N 00000000",
        "HEADERS+ES+EH N $GET; WINDOW_UPDATE N 7fffffff",
        "HEADERS+ES+EH N $GET; DATA N \"a\"",
        "HEADERS+ES+EH N $GET; HEADERS+ES+EH N $TRAILER",
        "HEADERS+ES+EH N $GET; PRIORITY N 00",
        "HEADERS+EH N $POST; HEADERS+EH N $TRAILER",
        "HEADERS+EH N $POST $LEN5; DATA+ES N \"a\"",
        "HEADERS+EH N $POST $LEN0; DATA N \"a\"",
        "HEADERS+ES+EH N $GET $CAPITAL",
        "HEADERS+ES+EH N",
    ]

    @Test(arguments: Self.abandoning)
    func `Streams that are opened and abandoned end the connection`(_ script: String) throws {
        var playbook = try Playbook("server abandoned=50")
        try playbook.repeat(script, count: 50)
        #expect(playbook.error == nil)
        try playbook.repeat(script, count: 1)
        #expect(playbook.error == "error too_many_abandoned_streams")
        #expect(playbook.output.last?.hasSuffix("enhance_your_calm") == true)
    }

    @Test(arguments: Self.abandoning)
    func `A client that abandons every other stream may go on`(_ script: String) throws {
        var playbook = try Playbook("server abandoned=20")
        for _ in 0..<50 {
            try playbook.repeat(script, count: 1)
            try playbook.repeat("HEADERS+ES+EH N $GET; !answer N 200 end", count: 1)
        }
        #expect(playbook.error == nil)
    }

    @Test func `Time forgives abandoned streams`() throws {
        var playbook = try Playbook("server abandoned=60")
        for _ in 0..<10 {
            try playbook.repeat("HEADERS+ES+EH N $GET; RST_STREAM N 00000008", count: 50)
            try playbook.play("!tick 1")
        }
        #expect(playbook.error == nil)
    }

    @Test func `A reset after the whole answer abandons nothing`() throws {
        var playbook = try Playbook("server abandoned=20")
        try playbook.repeat("HEADERS+EH N $POST; !answer N 200 end; RST_STREAM N 00000008", count: 50)
        #expect(playbook.error == nil)
    }

    @Test func `Streams beyond those we allow are counted once the client has read our settings`() throws {
        var playbook = try Playbook("server streams=1 abandoned=50")
        try playbook.play("HEADERS+EH 1 $POST")
        try playbook.repeat("HEADERS+ES+EH N $GET", count: 50, from: 3)
        #expect(playbook.error == nil)
        try playbook.repeat("HEADERS+ES+EH N $GET", count: 1)
        #expect(playbook.error == "error too_many_abandoned_streams")
    }

    @Test func `A client that has not read our settings yet may open too many`() throws {
        var playbook = try Playbook("server-bare streams=1 abandoned=50")
        try playbook.play("PREFACE; SETTINGS 0; HEADERS+EH 1 $POST")
        try playbook.repeat("HEADERS+ES+EH N $GET", count: 51, from: 3)
        #expect(playbook.error == nil)
    }

    static let idling = [
        ("", "PING 0 8*00"),
        ("", "PING+ACK 0 8*00"),
        ("", "SETTINGS 0"),
        ("", "SETTINGS+ACK 0"),
        ("", "WINDOW_UPDATE 0 00000001"),
        ("", "PRIORITY 99 0000000010"),
        ("", "99 0 \"abc\""),
        ("GOAWAY 0 8*00", "GOAWAY 0 8*00"),
        ("HEADERS+EH 1 $POST", "DATA 1"),
        ("HEADERS+EH 1 $POST", "DATA+PAD 1 02 0000"),
        ("HEADERS+EH 1 $POST", "WINDOW_UPDATE 1 00000001"),
        ("HEADERS+EH 1 $POST; !stop 1", "HEADERS+EH 1 $TRAILER"),
        ("HEADERS+EH 1 $POST; !reset 1 8", "DATA 1 \"a\""),
        ("HEADERS+EH 1 $POST; !reset 1 8", "RST_STREAM 1 00000008"),
        ("HEADERS+EH 1 $POST; !reset 1 8", "HEADERS+EH 1 $TRAILER"),
        ("!goaway final", "HEADERS+ES+EH N $GET"),
    ]

    @Test(arguments: Self.idling)
    func `Frames that move no stream end the connection`(_ preparation: String, _ frame: String) throws {
        var playbook = try Playbook("server idle=100")
        try playbook.play(preparation)
        playbook.forgetSpent()
        try playbook.repeat(frame, count: 100)
        #expect(playbook.error == nil)
        try playbook.repeat(frame, count: 1)
        #expect(playbook.error == "error too_many_idle_frames")
        #expect(playbook.output.last?.hasSuffix("enhance_your_calm") == true)
    }

    @Test(arguments: Self.idling)
    func `Time forgives frames that move no stream`(_ preparation: String, _ frame: String) throws {
        var playbook = try Playbook("server idle=120")
        try playbook.play(preparation)
        for _ in 0..<4 {
            try playbook.repeat(frame, count: 100)
            try playbook.play("!tick 1")
        }
        #expect(playbook.error == nil)
    }

    @Test(arguments: ["PING 0 8*00", "SETTINGS 0"])
    func `Answers that nobody takes end the connection`(_ frame: String) throws {
        var playbook = try Playbook("server waiting=50")
        let bytes = try FrameText.bytes(frame[...])
        playbook.receive(Array(repeatElement(bytes, count: 50).joined()))
        #expect(playbook.error == nil)
        playbook.receive(Array(repeatElement(bytes, count: 51).joined()))
        #expect(playbook.error == "error too_many_waiting_answers")
        #expect(playbook.connection.hasOutput == false)
    }

    @Test func `A header block without an end is given up by its bytes`() throws {
        var playbook = try Playbook("server")
        try playbook.play("HEADERS 1 16384*00")
        for _ in 0..<7 { try playbook.play("CONTINUATION 1 16384*00") }
        #expect(playbook.error == nil)
        #expect(playbook.connection.streamOfUnfinishedHead != nil)
        try playbook.play("CONTINUATION 1 00")
        #expect(playbook.error == "error header_block_too_large")
    }

    @Test(arguments: ["CONTINUATION 1", "CONTINUATION 1 00"])
    func `A header block without an end is given up by its frames`(_ frame: String) throws {
        var playbook = try Playbook("server")
        try playbook.play("HEADERS 1")
        try playbook.repeat(frame, count: HTTP2Limits().continuationFrames)
        #expect(playbook.error == nil)
        try playbook.repeat(frame, count: 1)
        #expect(playbook.error == "error too_many_continuations")
    }

    /// One entry of 4,000 bytes and thousands of references to it.
    @Test func `A header bomb is refused, and the connection goes on with a table that is right`() throws {
        var playbook = try Playbook("server")
        let entry = "40 0162 7fa11e 4000*61"
        try playbook.play("HEADERS+ES 1 $GET \(entry); CONTINUATION+EH 1 16000*be")
        #expect(playbook.events.last == "refused 1 431 header_too_large")
        try playbook.play("!answer 1 431 end; HEADERS+EH 3 $POST; HEADERS+ES+EH 3 be")
        #expect(playbook.error == nil)
        #expect(playbook.events.last == "end 3 b=" + String(repeating: "a", count: 4_000))
    }

    /// Ping-pong with windows of one byte would make us send ten bytes for each one of the body.
    @Test func `A peer that opens its window byte by byte is given up`() throws {
        var playbook = try Playbook("server idle=100")
        try playbook.play("SETTINGS 0 000400000000; HEADERS+ES+EH 1 $GET; !answer 1 200; !data 1 100000 end")
        try playbook.repeat("WINDOW_UPDATE 1 00000001", count: 110)
        #expect(playbook.error == "error too_many_idle_frames")
    }

    /// Each stream waits for the connection's window when it is reset, and must not be waited for any more.
    @Test func `Streams that are reset while they wait leave nothing behind`() throws {
        var playbook = try Playbook("server")
        try playbook.play("HEADERS+ES+EH 1 $GET; !answer 1 200; !data 1 65535 end")
        let script = "HEADERS+ES+EH N $GET; !answer N 200; !data N 5; RST_STREAM N 00000008"
        try playbook.repeat(script, count: 400, from: 3)
        #expect(playbook.connection.isIdle)
        #expect(playbook.connection.turns.isEmpty)
        #expect(playbook.connection.keptBytes == 0)
    }
}
