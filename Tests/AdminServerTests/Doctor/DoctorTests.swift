import AdminServer
import Synchronization
import TestSupport
import Testing

@Suite("The checks of the doctor, which the admin listener runs", .generousLimit, .timed)
struct DoctorTests {
    private static func request(_ client: AdminClient) -> String {
        "POST /doctor HTTP/1.1\r\nHost: \(client.host):\(client.port)\r\n\r\n"
    }

    @Test("Each finding is a line, and the last line says that these are all")
    func findings() async throws {
        let log = MemoryLog()
        let reply = try await AdminScene.withListener(
            checks: { tell in
                tell(DoctorFinding("name", .works, "api.example is at 192.0.2.1"))
                tell(DoctorFinding("vault", .fails, "two\nlines", remedies: ["chmod go-r \"x\"", "again"]))
                tell(DoctorFinding("clock", .warns, "late"))
                tell(DoctorFinding("clients", .leftOut, "none"))
            },
            log: log
        ) { try await $0.send("POST", "/doctor") }
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/x-ndjson")
        #expect(reply["Cache-Control"] == "no-store")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        let lines = [
            #"{"subject":"name","verdict":"ok","message":"api.example is at 192.0.2.1","remedies":[]}"#,
            #"{"subject":"vault","verdict":"fails","message":"two\nlines","remedies":["chmod go-r \"x\"","again"]}"#,
            #"{"subject":"clock","verdict":"note","message":"late","remedies":[]}"#,
            #"{"subject":"clients","verdict":"left_out","message":"none","remedies":[]}"#,
            #"{"done":true,"failures":1}"#,
        ]
        for line in lines { #expect(reply.body.contains("\(line)\n")) }
        #expect(log.lines.contains("info told to run the checks of paraph doctor client=127.0.0.1"))
    }

    @Test("One run at a time: findings come as they are there, and nobody else has the checks run meanwhile")
    func oneAtATime() async throws {
        let (goOn, release) = AsyncStream<Never>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let runs = Mutex(0)
        let checks: @Sendable (@escaping @Sendable (DoctorFinding) -> Void) async -> Void = { tell in
            runs.withLock { $0 += 1 }
            tell(DoctorFinding("name", .works, "the first"))
            for await _ in goOn {}
            tell(DoctorFinding("name", .works, "the last"))
        }
        try await AdminScene.withListener(checks: checks) { client in
            async let whole = client.follow(Self.request(client)) { text in
                if text.contains("the first") { begin.yield() }
                return text.contains("done")
            }
            for await _ in begun { break }
            let other = try await client.send("POST", "/doctor")
            #expect(other.status == 409)
            #expect(other.body.contains("for somebody else"))
            release.finish()
            #expect(try await whole.contains("the last"))
            let again = try await client.send("POST", "/doctor")
            #expect(again.status == 200 && again.body.contains("done"))
        }
        #expect(runs.withLock { $0 } == 2)
    }

    @Test("The checks end when whoever asked leaves, and the next may ask then")
    func leaving() async throws {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let checks: @Sendable (@escaping @Sendable (DoctorFinding) -> Void) async -> Void = { tell in
            tell(DoctorFinding("name", .works, "the first"))
            // Ends with the task.
            for await _ in never {}
            end.yield(Task.isCancelled)
        }
        try await AdminScene.withListener(checks: checks) { client in
            _ = try await client.follow(Self.request(client)) { $0.contains("the first") }
            for await wasCancelled in ends {
                #expect(wasCancelled)
                break
            }
            var isServed = false
            while !isServed {
                // The turn is given back an instant later.
                let text = try await client.follow(Self.request(client)) {
                    $0.contains("the first") || $0.contains("somebody else")
                }
                isServed = text.contains("the first")
            }
        }
        continuation.finish()
    }
}
