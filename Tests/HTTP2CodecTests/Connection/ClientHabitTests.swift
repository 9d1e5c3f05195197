import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// The habits of real clients, which must never reach a limit. The limits here are a fifth of the defaults.
@Suite struct ClientHabitTests {
    @Test func `Small updates of both windows during a long download`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        try playbook.play("HEADERS+ES+EH 1 $GET; !answer 1 200")
        for _ in 0..<20 {
            try playbook.play("!data 1 16384")
            // One update of each window for every 512 bytes.
            try playbook.repeat("WINDOW_UPDATE 1 00000200; WINDOW_UPDATE 0 00000200", count: 32)
        }
        #expect(playbook.error == nil)
    }

    @Test func `An update of both windows for each small event of a stream`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        try playbook.play("HEADERS+ES+EH 1 $GET; !answer 1 200")
        try playbook.repeat("!data 1 20; WINDOW_UPDATE 1 00000014; WINDOW_UPDATE 0 00000014", count: 300)
        #expect(playbook.error == nil)
    }

    @Test func `Priorities, a ping and updates with every request`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        let script =
            "PRIORITY N 0000000010; 16 0 00000001; PING 0 8*00; HEADERS+ES+EH N $GET; !answer N 200; !data N 10 end;"
            + "WINDOW_UPDATE N 0000000a; WINDOW_UPDATE 0 0000000a"
        try playbook.repeat(script, count: 300)
        #expect(playbook.error == nil)
    }

    @Test func `A ping every ten seconds on a connection that is idle for days`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        try playbook.repeat("PING 0 8*00; !tick 10", count: 1_000)
        #expect(playbook.error == nil)
    }

    @Test func `A page with a hundred requests that is left again and again`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        for _ in 0..<5 {
            try playbook.repeat("HEADERS+ES+EH N $GET; RST_STREAM N 00000008", count: 100)
            try playbook.play("!tick 2")
        }
        #expect(playbook.error == nil)
    }

    @Test func `Measurements of the round trip during an upload`() throws {
        var playbook = try Playbook("server idle=200 abandoned=120")
        try playbook.play("HEADERS+EH 1 $POST")
        try playbook.repeat("DATA 1 100*61; PING 0 8*00; !consumed 1 100", count: 300)
        #expect(playbook.error == nil)
    }
}
