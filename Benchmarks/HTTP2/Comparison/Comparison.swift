import Glibc
import NIOCore

/// Measures Paraph's HTTP/2 codec beside swift-nio-http2 on the same bytes.
@main
struct Comparison {
    private let rounds: Int
    /// The number of requests of each measurement, on a connection of its own, after those that warm it up.
    private let requests: Int
    private static let warmUp = 2_048

    static func main() {
        do {
            if CommandLine.arguments.dropFirst().first == "probes" {
                try probe()
            } else {
                try run()
            }
        } catch {
            print("HTTP2: \(error)")
            exit(1)
        }
    }

    private static func run() throws {
        let comparison = Comparison(
            rounds: max(1, number("ROUNDS") ?? 15),
            requests: max(1, (number("REQUESTS") ?? 20_000) / Work.perRead) * Work.perRead
        )
        for role in Role.allCases {
            let sizes = try Implementation.allCases.map { try check($0, role) }
            try comparison.measure(role, sizes)
        }
    }

    /// Tells what becomes of what a peer may send, and of uploads that nobody reads.
    private static func probe() throws {
        print("| | HTTP2Codec | swift-nio-http2 |\n|---|---|---|")
        for probe in Probe.all {
            print("| \(probe.name) | \(CodecProbe.outcome(of: probe)) | \(try LibraryProbe.outcome(of: probe)) |")
        }
        print("| bytes sent of two uploads | \(try CodecProbe.uploads()) | \(try LibraryProbe.uploads()) |")
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }

    /// Reads everything that an implementation sends for some requests.
    ///
    /// - Returns: The bytes for each.
    private static func check(_ implementation: Implementation, _ role: Role) throws -> Int {
        let input = PeerInput(to: role, reads: warmUp / Work.perRead)
        let connection = try Connection(implementation, role, requests: warmUp, keepsOutput: true)
        try connection.open(input)
        try connection.play(input.reads[...])
        try connection.finish()
        var check = OutputCheck(role, requests: warmUp)
        try check.check(connection.output)
        return connection.sentBytes / warmUp
    }

    private func measure(_ role: Role, _ sizes: [Int]) throws {
        let input = PeerInput(to: role, reads: (Self.warmUp + requests) / Work.perRead)
        let implementations = Implementation.allCases
        var times = [[Double]](repeating: [], count: implementations.count)
        for round in 0...rounds {
            for turn in implementations.indices {
                // Each is first as often as the others.
                let index = (turn + round) % implementations.count
                let time = try time(implementations[index], role, input)
                // The first round warms up the process.
                if round > 0 { times[index].append(time) }
            }
        }
        let title = role == .server ? "server, towards clients" : "client, towards servers"
        print("| \(title) | µs per request | HTTP2Codec to it | bytes sent |\n|---|---:|---:|---:|")
        for (index, implementation) in implementations.enumerated() {
            // Of the same round.
            let ratios = Distribution(zip(times[0], times[index]).map { $0 / $1 })
            let ratio = index == 0 ? "" : "\(ratios)"
            print("| \(implementation.name) | \(Distribution(times[index])) | \(ratio) | \(sizes[index]) |")
        }
    }

    /// - Returns: Microseconds of processor time for each request.
    private func time(_ implementation: Implementation, _ role: Role, _ input: PeerInput) throws -> Double {
        let connection = try Connection(implementation, role, requests: Self.warmUp + requests)
        try connection.open(input)
        let warmUp = input.reads.startIndex + Self.warmUp / Work.perRead
        try connection.play(input.reads[..<warmUp])
        let begin = ProcessorTime.nanoseconds
        try connection.play(input.reads[warmUp...])
        let end = ProcessorTime.nanoseconds
        try connection.finish()
        return Double(end - begin) / 1_000 / Double(requests)
    }
}
