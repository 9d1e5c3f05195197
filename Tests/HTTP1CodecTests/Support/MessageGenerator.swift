import TestSupport

/// Makes valid messages in many spellings: what every conforming recipient must take.
struct MessageGenerator {
    var random: SeededGenerator

    private static let token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let path = "abcXYZ019-._~!$&'()*+,;=:@/%\"<>{}|\\^`[]"
    private static let value = "abc XYZ,;:=\"()<>@/\\?{}[]|~\t123"

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// One to three requests on one connection; only the last may close it.
    mutating func requests() -> [[UInt8]] {
        let count = 1 + random.below(3)
        return (1...count).map { request(isLast: $0 == count) }
    }

    /// One to three responses to GET requests; only the last may close the connection.
    mutating func responses() -> [[UInt8]] {
        let count = 1 + random.below(3)
        return (1...count).map { response(isLast: $0 == count) }
    }

    private mutating func request(isLast: Bool) -> [UInt8] {
        let method = random.pick(["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "PROPFIND", "PURGE"])
        var lines = fields(1)
        lines.append("\(spelled("Host")):\(white())\(host())\(white())")
        if random.chance(4) { lines.append("Expect: 100-continue") }
        if random.chance(4) { lines.append("Connection: keep-alive, x-hop") }
        if isLast, random.chance(4) { lines.append("\(spelled("connection")): Close") }
        let body = framed(into: &lines)
        lines.shuffle(using: &random)
        return Array("\(method) \(target()) HTTP/1.1\r\n".utf8) + section(lines) + body
    }

    private mutating func response(isLast: Bool) -> [UInt8] {
        let reason = random.pick(["OK", "", "Not Found at all", "a\tb"])
        if random.chance(6) { return Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) }
        if random.chance(6) { return Array("HTTP/1.1 304 \(reason)\r\nContent-Length: 12\r\n\r\n".utf8) }
        var lines = fields(0)
        if isLast, random.chance(3) {
            let body = random.text(0...40, of: Self.value)
            return Array("HTTP/1.1 200 \(reason)\r\n".utf8) + section(lines) + Array(body.utf8)
        }
        if isLast, random.chance(3) { lines.append("Connection: close") }
        var body = framed(into: &lines)
        if !lines.contains(where: { $0.lowercased().hasPrefix("content-length") || $0.lowercased().hasPrefix("tr") }) {
            lines.append("Content-Length: 0")
            body = []
        }
        lines.shuffle(using: &random)
        let status = random.pick([200, 201, 301, 400, 404, 500, 599, 999])
        return Array("HTTP/1.1 \(status) \(reason)\r\n".utf8) + section(lines) + body
    }

    private func section(_ lines: [String]) -> [UInt8] {
        Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }

    private mutating func fields(_ least: Int) -> [String] {
        (0..<least + random.below(5)).map { _ in
            let name = "x" + random.text(0...20, of: Self.token)
            return "\(name):\(white())\(random.text(0...30, of: Self.value))\(white())"
        }
    }

    private mutating func framed(into lines: inout [String]) -> [UInt8] {
        switch random.below(3) {
        case 0:
            return []
        case 1:
            let body = Array(random.text(0...60, of: Self.value + "\r\n\0").utf8)
            lines.append("\(spelled("Content-Length")): \(random.text(0...2, of: "0"))\(body.count)")
            return body
        default:
            lines.append("\(spelled("Transfer-Encoding")):\(white())\(spelled("chunked"))")
            return chunks()
        }
    }

    private mutating func chunks() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<random.below(4) {
            let data = Array(random.text(1...40, of: Self.value + "\r\n\0").utf8)
            let size = spelled(String(data.count, radix: 16))
            bytes += Array("\(random.text(0...2, of: "0"))\(size)\(chunkExtension())\r\n".utf8) + data
            bytes += [0x0D, 0x0A]
        }
        bytes += Array("\(random.text(1...3, of: "0"))\(chunkExtension())\r\n".utf8)
        let trailers = random.chance(3) ? fields(1) : []
        return bytes + section(trailers)
    }

    private mutating func chunkExtension() -> String {
        switch random.below(6) {
        case 0: ";" + random.text(1...5, of: Self.token)
        case 1: ";" + random.text(1...5, of: Self.token) + "=" + random.text(1...5, of: Self.token)
        case 2: ";a=\"" + random.text(0...5, of: "ab ;=,\t") + "\\\"\""
        default: ""
        }
    }

    private mutating func target() -> String {
        let path = "/" + random.text(0...30, of: Self.path)
        let query = random.chance(2) ? "?" + random.text(0...30, of: Self.path + "?") : ""
        return random.chance(4) ? "\(spelled("http"))://\(host())\(path)\(query)" : path + query
    }

    private mutating func host() -> String {
        random.pick(["h", "example.com", "EXAMPLE.com:8080", "127.0.0.1", "[::1]:443", "a_b.c-d~e"])
    }

    /// The same letters, each in either case.
    private mutating func spelled(_ name: String) -> String {
        var result = ""
        for character in name { result += random.chance(2) ? character.uppercased() : character.lowercased() }
        return result
    }

    private mutating func white() -> String {
        random.pick(["", " ", " ", " ", "  ", "\t "])
    }
}
