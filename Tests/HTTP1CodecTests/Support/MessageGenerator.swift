import TestSupport

/// Makes valid messages in many spellings: what every conforming recipient must take.
struct MessageGenerator {
    var random: SeededGenerator

    private static let token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let path = "abcXYZ019-._~!$&'()*+,;=:@/%\"<>{}|\\^`[]"
    private static let value = "abc XYZ,;:=\"()<>@/\\?{}[]|~\t123"

    init(seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
    }

    /// One to three requests on one connection; only the last may close it.
    mutating func requests() -> [[UInt8]] {
        let count = 1 + self.random.below(3)
        return (1...count).map { self.request(isLast: $0 == count) }
    }

    /// One to three responses to GET requests; only the last may close the connection.
    mutating func responses() -> [[UInt8]] {
        let count = 1 + self.random.below(3)
        return (1...count).map { self.response(isLast: $0 == count) }
    }

    private mutating func request(isLast: Bool) -> [UInt8] {
        let method = self.random.pick(["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "PROPFIND", "PURGE"])
        var lines = self.fields(1)
        lines.append("\(self.spelled("Host")):\(self.white())\(self.host())\(self.white())")
        if self.random.chance(4) { lines.append("Expect: 100-continue") }
        if self.random.chance(4) { lines.append("Connection: keep-alive, x-hop") }
        if isLast, self.random.chance(4) { lines.append("\(self.spelled("connection")): Close") }
        let body = self.framed(into: &lines)
        lines.shuffle(using: &self.random)
        return Array("\(method) \(self.target()) HTTP/1.1\r\n".utf8) + self.section(lines) + body
    }

    private mutating func response(isLast: Bool) -> [UInt8] {
        let reason = self.random.pick(["OK", "", "Not Found at all", "a\tb"])
        if self.random.chance(6) { return Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) }
        if self.random.chance(6) { return Array("HTTP/1.1 304 \(reason)\r\nContent-Length: 12\r\n\r\n".utf8) }
        var lines = self.fields(0)
        if isLast, self.random.chance(3) {
            let body = self.random.text(0...40, of: Self.value)
            return Array("HTTP/1.1 200 \(reason)\r\n".utf8) + self.section(lines) + Array(body.utf8)
        }
        if isLast, self.random.chance(3) { lines.append("Connection: close") }
        var body = self.framed(into: &lines)
        if !lines.contains(where: { $0.lowercased().hasPrefix("content-length") || $0.lowercased().hasPrefix("tr") }) {
            lines.append("Content-Length: 0")
            body = []
        }
        lines.shuffle(using: &self.random)
        let status = self.random.pick([200, 201, 301, 400, 404, 500, 599, 999])
        return Array("HTTP/1.1 \(status) \(reason)\r\n".utf8) + self.section(lines) + body
    }

    private func section(_ lines: [String]) -> [UInt8] {
        Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }

    private mutating func fields(_ least: Int) -> [String] {
        (0..<least + self.random.below(5)).map { _ in
            let name = "x" + self.random.text(0...20, of: Self.token)
            return "\(name):\(self.white())\(self.random.text(0...30, of: Self.value))\(self.white())"
        }
    }

    private mutating func framed(into lines: inout [String]) -> [UInt8] {
        switch self.random.below(3) {
        case 0:
            return []
        case 1:
            let body = Array(self.random.text(0...60, of: Self.value + "\r\n\0").utf8)
            lines.append("\(self.spelled("Content-Length")): \(self.random.text(0...2, of: "0"))\(body.count)")
            return body
        default:
            lines.append("\(self.spelled("Transfer-Encoding")):\(self.white())\(self.spelled("chunked"))")
            return self.chunks()
        }
    }

    private mutating func chunks() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<self.random.below(4) {
            let data = Array(self.random.text(1...40, of: Self.value + "\r\n\0").utf8)
            let size = self.spelled(String(data.count, radix: 16))
            bytes += Array("\(self.random.text(0...2, of: "0"))\(size)\(self.chunkExtension())\r\n".utf8) + data
            bytes += [0x0D, 0x0A]
        }
        bytes += Array("\(self.random.text(1...3, of: "0"))\(self.chunkExtension())\r\n".utf8)
        let trailers = self.random.chance(3) ? self.fields(1) : []
        return bytes + self.section(trailers)
    }

    private mutating func chunkExtension() -> String {
        switch self.random.below(6) {
        case 0: ";" + self.random.text(1...5, of: Self.token)
        case 1: ";" + self.random.text(1...5, of: Self.token) + "=" + self.random.text(1...5, of: Self.token)
        case 2: ";a=\"" + self.random.text(0...5, of: "ab ;=,\t") + "\\\"\""
        default: ""
        }
    }

    private mutating func target() -> String {
        let path = "/" + self.random.text(0...30, of: Self.path)
        let query = self.random.chance(2) ? "?" + self.random.text(0...30, of: Self.path + "?") : ""
        return self.random.chance(4) ? "\(self.spelled("http"))://\(self.host())\(path)\(query)" : path + query
    }

    private mutating func host() -> String {
        self.random.pick(["h", "example.com", "EXAMPLE.com:8080", "127.0.0.1", "[::1]:443", "a_b.c-d~e"])
    }

    /// The same letters, each in either case.
    private mutating func spelled(_ name: String) -> String {
        var result = ""
        for character in name { result += self.random.chance(2) ? character.uppercased() : character.lowercased() }
        return result
    }

    private mutating func white() -> String {
        self.random.pick(["", " ", " ", " ", "  ", "\t "])
    }
}
